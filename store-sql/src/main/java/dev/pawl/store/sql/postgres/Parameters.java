package dev.pawl.store.sql.postgres;

import dev.pawl.store.sql.postgres.BinaryArray.Element;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.PreferQueryMode;

/** The parameters of a statement, given one after the other; a column of many rows is one array. */
final class Parameters {
  /** Says what binds a statement's parameters. */
  @FunctionalInterface
  interface Binding {
    void bind(Parameters parameters) throws SQLException;
  }

  /** A value of a row, which may be absent. */
  @FunctionalInterface
  interface Column<T, V> {
    @Nullable V of(T row);
  }

  private final Connection connection;
  private final PreparedStatement statement;

  /** The driver's own connection, if arrays can be given to it in binary form. */
  private final @Nullable BaseConnection driver;

  private int given;

  Parameters(Connection connection, PreparedStatement statement) throws SQLException {
    this.connection = connection;
    this.statement = statement;
    this.driver = binary(connection);
  }

  /**
   * A caller's connection may be anything; and one that sends statements as text takes no bytes.
   */
  private static @Nullable BaseConnection binary(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(BaseConnection.class)) {
      return null;
    }
    BaseConnection driver = connection.unwrap(BaseConnection.class);
    return driver.getPreferQueryMode() == PreferQueryMode.SIMPLE ? null : driver;
  }

  Parameters number(@Nullable Long value) throws SQLException {
    if (value == null) {
      statement.setNull(++given, java.sql.Types.BIGINT);
    } else {
      statement.setLong(++given, value);
    }
    return this;
  }

  Parameters number(long value) throws SQLException {
    statement.setLong(++given, value);
    return this;
  }

  Parameters flag(boolean value) throws SQLException {
    statement.setBoolean(++given, value);
    return this;
  }

  Parameters text(@Nullable String value) throws SQLException {
    statement.setString(++given, value);
    return this;
  }

  Parameters bytes(byte[] value) throws SQLException {
    statement.setBytes(++given, value);
    return this;
  }

  Parameters uuid(@Nullable UUID value) throws SQLException {
    statement.setObject(++given, value, java.sql.Types.OTHER);
    return this;
  }

  Parameters moment(@Nullable Instant value) throws SQLException {
    return number(value == null ? null : (Long) value.toEpochMilli());
  }

  Parameters uuids(Collection<UUID> values) throws SQLException {
    return array(Element.UUID, values.toArray(UUID[]::new));
  }

  Parameters texts(Collection<String> values) throws SQLException {
    return array(Element.TEXT, values.toArray(String[]::new));
  }

  <T> Parameters uuids(List<T> rows, Column<T, UUID> column) throws SQLException {
    @Nullable UUID[] values = new UUID[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.of(rows.get(i));
    }
    return array(Element.UUID, values);
  }

  <T> Parameters texts(List<T> rows, Column<T, String> column) throws SQLException {
    @Nullable String[] values = new String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.of(rows.get(i));
    }
    return array(Element.TEXT, values);
  }

  <T> Parameters numbers(List<T> rows, Column<T, Long> column) throws SQLException {
    @Nullable Long[] values = new Long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.of(rows.get(i));
    }
    return array(Element.NUMBER, values);
  }

  <T> Parameters flags(List<T> rows, Column<T, Boolean> column) throws SQLException {
    @Nullable Boolean[] values = new Boolean[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.of(rows.get(i));
    }
    return array(Element.FLAG, values);
  }

  <T> Parameters moments(List<T> rows, Column<T, Instant> column) throws SQLException {
    return numbers(
        rows,
        row -> {
          @Nullable Instant moment = column.of(row);
          return moment == null ? null : moment.toEpochMilli();
        });
  }

  /** Values of the element's kind in Java, or none of it. */
  Parameters array(Element element, @Nullable Object[] values) throws SQLException {
    statement.setArray(
        ++given,
        driver == null
            ? connection.createArrayOf(element.type, values)
            : BinaryArray.of(driver, element, values));
    return this;
  }
}
