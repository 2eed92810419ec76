package dev.pawl.store.sql.postgres;

import dev.pawl.store.sql.postgres.BinaryArray.Element;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows to be written by one statement, column by column.
 *
 * <p>An array costs the server something even when it is short, and most columns say the same in
 * every row of a batch. So only a column whose rows differ is sent as an array; one in which all
 * agree is sent once, and one that says what is there anyway is left out. A single row needs no
 * array at all, and up to {@link #FEW} are sent value by value. Used by one thread.
 */
final class Rows<T> {
  /** How a column is sent, and what is made of it there: {@code $} stands for what was sent. */
  enum Kind {
    UUID(Element.UUID, "$"),
    TEXT(Element.TEXT, "$"),
    JSON(Element.TEXT, "$::json"),
    NUMBER(Element.NUMBER, "$"),
    FLAG(Element.FLAG, "$"),
    MOMENT(Element.NUMBER, "workflow.moment($)");

    private final Element element;
    private final String form;

    Kind(Element element, String form) {
      this.element = element;
      this.form = form;
    }

    /** The value as it is sent: a moment as its milliseconds. */
    private @Nullable Object sent(@Nullable Object value) {
      return value instanceof Instant moment ? (Object) moment.toEpochMilli() : value;
    }
  }

  /** A statement and what goes into it. */
  record Sql(String text, Parameters.Binding binding) {
    /** ... on a condition, of which another statement's text says that it fails if it is not so. */
    Sql where(Sql condition) {
      return new Sql(
          text + " WHERE " + condition.text,
          to -> {
            binding.bind(to);
            condition.binding.bind(to);
          });
    }
  }

  /** Up to so many rows are written out in the statement. */
  private static final int FEW = 4;

  /** How many shapes of a statement are known; beyond, every column of many rows is an array. */
  private static final int MAX_SHAPES = 48;

  /**
   * By verb and table, and by shape, the texts made so far: the driver knows a text it has seen.
   */
  private static final Map<String, Map<String, String>> TEXTS = new ConcurrentHashMap<>();

  private static final class Column {
    final String name;
    final Kind kind;
    final String form;
    final @Nullable Object[] values;
    boolean isArray;

    Column(String name, Kind kind, String form, @Nullable Object[] values, boolean isArray) {
      this.name = name;
      this.kind = kind;
      this.form = form;
      this.values = values;
      this.isArray = isArray;
    }

    String source() {
      return form.replace("$", isArray ? "u." + name : "?::" + kind.element.type);
    }

    /** Binds what is sent once, as often as it is used. */
    void bindOne(Parameters to) throws SQLException {
      for (int at = form.indexOf('$'); at >= 0; at = form.indexOf('$', at + 1)) {
        bind(to, 0);
      }
    }

    /** Binds the value of one row. */
    void bind(Parameters to, int row) throws SQLException {
      switch (kind.element) {
        case UUID -> to.uuid((UUID) values[row]);
        case TEXT -> to.text((String) values[row]);
        case NUMBER -> to.number((Long) values[row]);
        case FLAG -> to.flag(Boolean.TRUE.equals(values[row]));
      }
    }
  }

  private final String table;
  private final List<T> rows;
  private final List<Column> columns = new ArrayList<>();

  /** One letter to a column, said or unsaid. */
  private final StringBuilder shape = new StringBuilder();

  Rows(String table, List<T> rows) {
    this.table = table;
    this.rows = rows;
  }

  /** A column whose rows hardly ever agree. */
  Rows<T> each(String name, Kind kind, Parameters.Column<T, ?> column) {
    return add(name, kind, kind.form, values(kind, column), rows.size() > 1);
  }

  /** A column whose rows may agree. */
  Rows<T> column(String name, Kind kind, Parameters.Column<T, ?> column) {
    @Nullable Object[] values = values(kind, column);
    return add(name, kind, kind.form, values, !agree(values));
  }

  /** A column that mostly says in every row what another does, which is then sent for both. */
  Rows<T> like(String other, String name, Kind kind, Parameters.Column<T, ?> column) {
    @Nullable Object[] values = values(kind, column);
    for (Column before : columns) {
      if (before.isArray && before.name.equals(other) && Arrays.equals(before.values, values)) {
        columns.add(new Column(name, kind, "u." + other, values, false));
        shape.append('=');
        return this;
      }
    }
    return add(name, kind, kind.form, values, rows.size() > 1);
  }

  /** A column that is left out if all rows say this. */
  Rows<T> unless(@Nullable Object usual, String name, Kind kind, Parameters.Column<T, ?> column) {
    return unless(usual, name, kind, kind.form, column);
  }

  /** ... of which something of its own is made. */
  Rows<T> unless(
      @Nullable Object usual, String name, Kind kind, String form, Parameters.Column<T, ?> column) {
    if (isUsual(usual, column)) {
      shape.append('-');
      return this;
    }
    @Nullable Object[] values = values(kind, column);
    return add(name, kind, form, values, !agree(values));
  }

  /** A column that is left out if it stays in every row what it was. */
  Rows<T> changed(
      String name, Kind kind, Parameters.Column<T, ?> before, Parameters.Column<T, ?> after) {
    if (isUnchanged(before, after)) {
      shape.append('-');
      return this;
    }
    @Nullable Object[] values = values(kind, after);
    return add(name, kind, kind.form, values, !agree(values));
  }

  private boolean isUsual(@Nullable Object usual, Parameters.Column<T, ?> column) {
    for (int i = 0; i < rows.size(); i++) {
      if (!Objects.equals(usual, column.of(rows.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private boolean isUnchanged(Parameters.Column<T, ?> before, Parameters.Column<T, ?> after) {
    for (int i = 0; i < rows.size(); i++) {
      if (!Objects.equals(before.of(rows.get(i)), after.of(rows.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private Rows<T> add(
      String name, Kind kind, String form, @Nullable Object[] values, boolean isArray) {
    columns.add(new Column(name, kind, form, values, isArray));
    shape.append(isArray ? 'n' : '1');
    return this;
  }

  private @Nullable Object[] values(Kind kind, Parameters.Column<T, ?> column) {
    @Nullable Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = kind.sent(column.of(rows.get(i)));
    }
    return values;
  }

  private static boolean agree(@Nullable Object[] values) {
    for (int i = 1; i < values.length; i++) {
      if (!Objects.equals(values[0], values[i])) {
        return false;
      }
    }
    return true;
  }

  /** The statement that inserts the rows. */
  Sql insert() {
    return new Sql(text("INSERT INTO ", this::insertText), to -> bind(to, Set.of()));
  }

  /**
   * The statement that updates the only row, with its version made one higher. If it has another
   * version, it fails with a division by zero; if it is not there, nothing is written.
   *
   * @param keys the columns that say which row: its version, and then its id
   */
  Sql updateOne(Set<String> keys) {
    return new Sql(text("UPDATE ONE ", verb -> updateOneText(keys)), to -> bind(to, keys));
  }

  /**
   * The statement that updates the rows, each with its version made one higher. If one is not
   * found, it fails with a division by zero, and all is undone.
   *
   * @param keys the columns that say which rows
   */
  Sql update(Set<String> keys) {
    return new Sql(
        text("UPDATE ", verb -> updateText(verb, keys)),
        to -> {
          bind(to, keys);
          to.number(rows.size());
        });
  }

  /** Makes the text of a statement. */
  @FunctionalInterface
  private interface Making {
    String text(String opening);
  }

  private boolean isFew() {
    return rows.size() > 1 && rows.size() <= FEW;
  }

  private String text(String verb, Making making) {
    String opening = verb + table;
    if (isFew()) {
      shape.append(rows.size());
    }
    Map<String, String> known = TEXTS.computeIfAbsent(opening, one -> new ConcurrentHashMap<>());
    String wanted = shape.toString();
    @Nullable String seen = known.get(wanted);
    if (seen != null) {
      return seen;
    }
    if (known.size() >= MAX_SHAPES && rows.size() > 1) {
      columns.forEach(column -> column.isArray |= column.form.indexOf('$') >= 0);
      wanted = wanted.replace('1', 'n');
    }
    return known.computeIfAbsent(wanted, one -> making.text(opening));
  }

  private String insertText(String opening) {
    String sources = columns.stream().map(Column::source).collect(Collectors.joining(", "));
    return opening + " (" + names(columns) + ") SELECT " + sources + from();
  }

  private String updateOneText(Set<String> keys) {
    return "UPDATE "
        + table
        + " r SET "
        + set(keys)
        + "version = r.version + 1 / (r.version = "
        + source("version")
        + ")::int WHERE r.id = "
        + source("id");
  }

  private String source(String name) {
    return columns.stream()
        .filter(column -> column.name.equals(name))
        .findFirst()
        .orElseThrow()
        .source();
  }

  private String set(Set<String> keys) {
    return columns.stream()
        .filter(column -> !keys.contains(column.name))
        .map(column -> column.name + " = " + column.source() + ", ")
        .collect(Collectors.joining());
  }

  private String updateText(String opening, Set<String> keys) {
    String where =
        columns.stream()
            .filter(column -> keys.contains(column.name))
            .map(column -> "r." + column.name + " = " + column.source())
            .collect(Collectors.joining(" AND "));
    return "WITH changed AS ("
        + opening
        + " r SET "
        + set(keys)
        + "version = r.version + 1"
        + from()
        + " WHERE "
        + where
        + " RETURNING 1) SELECT 1 / (count(*) = ?)::int FROM changed";
  }

  private String from() {
    List<Column> arrays = columns.stream().filter(column -> column.isArray).toList();
    if (arrays.isEmpty()) {
      return "";
    }
    String suffix = isFew() ? "" : "[]";
    String row =
        arrays.stream()
            .map(column -> "?::" + column.kind.element.type + suffix)
            .collect(Collectors.joining(", ", "(", ")"));
    String source =
        isFew()
            ? "(VALUES " + String.join(", ", Collections.nCopies(rows.size(), row)) + ")"
            : "unnest" + row;
    return " FROM " + source + " AS u (" + names(arrays) + ")";
  }

  private static String names(List<Column> columns) {
    return columns.stream().map(column -> column.name).collect(Collectors.joining(", "));
  }

  /** Binds what is sent once, the arrays, and what is sent once of the keys: as they stand. */
  private void bind(Parameters to, Set<String> keys) throws SQLException {
    for (Column column : columns) {
      if (!column.isArray && !keys.contains(column.name)) {
        column.bindOne(to);
      }
    }
    bindMany(to);
    for (Column column : columns) {
      if (!column.isArray && keys.contains(column.name)) {
        column.bindOne(to);
      }
    }
  }

  private void bindMany(Parameters to) throws SQLException {
    List<Column> arrays = columns.stream().filter(column -> column.isArray).toList();
    if (isFew()) {
      for (int row = 0; row < rows.size(); row++) {
        for (Column column : arrays) {
          column.bind(to, row);
        }
      }
    } else {
      for (Column column : arrays) {
        to.array(column.kind.element, column.values);
      }
    }
  }
}
