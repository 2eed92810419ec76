package dev.pawl.bench.machine;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What Postgres itself does with the rows of a store: the last rows of its tables, inserted again
 * into empty tables of the same schema with all their indexes, by {@code INSERT … SELECT unnest(…)}
 * in autocommit, with the same durability and nothing else around it.
 */
public final class RawPostgres {
  /** Rows of one table, column by column. */
  private record Content(
      String table, List<String> columns, List<String> types, List<Object[]> rows) {}

  private final Database to;
  private final List<Content> contents = new ArrayList<>();

  private RawPostgres(Database to) {
    this.to = to;
  }

  /**
   * Reads at most so many rows of each table.
   *
   * @param to a database with the same tables, all of them empty or as good as
   */
  public static RawPostgres of(Database from, Database to, int most) throws SQLException {
    RawPostgres raw = new RawPostgres(to);
    try (Connection connection = from.connect()) {
      for (String table : Tables.names(from, connection)) {
        Content content = read(connection, table, most);
        if (content.rows().size() > 1 && !table.endsWith("_schema")) {
          raw.contents.add(content);
        }
      }
    }
    return raw;
  }

  private static Content read(Connection connection, String table, int most) throws SQLException {
    List<String> columns = new ArrayList<>();
    List<String> types = new ArrayList<>();
    List<Object[]> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet shape =
          statement.executeQuery(
              "SELECT quote_ident(attname), format_type(atttypid, NULL) FROM pg_attribute WHERE"
                  + " attrelid = '"
                  + table
                  + "'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY"
                  + " attnum")) {
        while (shape.next()) {
          columns.add(shape.getString(1));
          types.add(shape.getString(2));
        }
      }
      String cast = String.join("::text, ", columns) + "::text";
      try (ResultSet found =
          statement.executeQuery(
              "SELECT " + cast + " FROM " + table + " ORDER BY ctid DESC LIMIT " + most)) {
        while (found.next()) {
          Object[] row = new Object[columns.size()];
          for (int i = 0; i < row.length; i++) {
            row[i] = found.getString(i + 1);
          }
          rows.add(row);
        }
      }
    }
    return new Content(table, columns, types, rows.reversed());
  }

  public int rows() {
    return contents.stream().mapToInt(content -> content.rows().size()).sum();
  }

  /**
   * Rows a second, so many to a commit, on so many connections at once. Empties the tables first.
   */
  public double rowsPerSecond(int batch, int connections) throws SQLException {
    empty();
    long nanos = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      for (Content content : contents) {
        long start = System.nanoTime();
        List<Future<?>> parts = new ArrayList<>();
        for (int part = 0; part < connections; part++) {
          int mine = part;
          parts.add(
              threads.submit(() -> {
                insert(content, batch, mine, connections);
                return null;
              }));
        }
        for (Future<?> part : parts) {
          part.get();
        }
        nanos += System.nanoTime() - start;
      }
    } catch (ExecutionException e) {
      throw new SQLException("the raw inserts failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", e);
    }
    return rows() / (nanos / 1e9);
  }

  private void empty() throws SQLException {
    try (Connection connection = to.connect();
        Statement statement = connection.createStatement()) {
      for (Content content : contents) {
        statement.execute("TRUNCATE " + content.table() + " CASCADE");
      }
    }
  }

  private void insert(Content content, int batch, int part, int parts) throws SQLException {
    try (Connection connection = to.connect()) {
      try (Statement statement = connection.createStatement()) {
        // No triggers and foreign keys: only what the rows and their indexes cost.
        statement.execute("SET session_replication_role = replica");
      }
      try (PreparedStatement insert = connection.prepareStatement(statement(content))) {
        List<Object[]> rows = content.rows();
        for (int from = part * batch; from < rows.size(); from += parts * batch) {
          bind(
              connection, insert, content, rows.subList(from, Math.min(rows.size(), from + batch)));
          insert.executeUpdate();
        }
      }
    }
  }

  private static String statement(Content content) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (int i = 0; i < content.columns().size(); i++) {
      names.add("c" + i);
      values.add("c" + i + "::" + content.types().get(i));
    }
    return "INSERT INTO %s (%s) OVERRIDING SYSTEM VALUE SELECT %s FROM unnest(%s) AS t(%s)"
        .formatted(
            content.table(),
            String.join(", ", content.columns()),
            String.join(", ", values),
            String.join(", ", Collections.nCopies(names.size(), "?::text[]")),
            String.join(", ", names));
  }

  private static void bind(
      Connection connection, PreparedStatement insert, Content content, List<Object[]> rows)
      throws SQLException {
    for (int column = 0; column < content.columns().size(); column++) {
      Object[] values = new Object[rows.size()];
      for (int row = 0; row < values.length; row++) {
        values[row] = rows.get(row)[column];
      }
      insert.setArray(column + 1, connection.createArrayOf("text", values));
    }
  }
}
