package dev.pawl.store.sql.postgres;

import dev.pawl.store.sql.Statements;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A connection and the statements of this package. Used by one thread at a time. */
final class Session {
  static final Statements STATEMENTS =
      Statements.read(
          Session.class,
          "session.sql",
          "runs.sql",
          "events.sql",
          "claims.sql",
          "messages.sql",
          "reads.sql",
          "callers.sql",
          "blobs.sql",
          "repair.sql");

  /** The texts of rounds, by the statements in them: the driver knows a text it has seen. */
  private static final Map<List<String>, String> TEXTS = new ConcurrentHashMap<>();

  private final Connection connection;
  private boolean blind;

  Session(Connection connection) {
    this.connection = connection;
  }

  /** Whether nothing may be asked for now, because there is no transaction yet. */
  void blind(boolean now) {
    blind = now;
  }

  Connection connection() {
    return connection;
  }

  Round round() {
    return new Round();
  }

  /** What a query finds. */
  <T> List<T> all(String name, Parameters.Binding binding, Cells.Reading<T> reading)
      throws SQLException {
    List<T> found = new ArrayList<>();
    round().query(name, binding, cells -> found.add(reading.read(cells))).run();
    return found;
  }

  <T> Optional<T> first(String name, Parameters.Binding binding, Cells.Reading<T> reading)
      throws SQLException {
    return all(name, binding, reading).stream().findFirst();
  }

  /** Runs a statement that writes; returns how many rows it changed. */
  long write(String name, Parameters.Binding binding) throws SQLException {
    long[] count = new long[1];
    round().write(name, binding, rows -> count[0] = rows).run();
    return count[0];
  }

  /** Takes note of how many rows a statement has changed. */
  @FunctionalInterface
  interface Counting {
    void count(long rows) throws SQLException;
  }

  private record Part(
      String text,
      Parameters.Binding binding,
      Cells.@Nullable Reading<?> reading,
      @Nullable Counting counting) {}

  /**
   * Statements that go to the server together and are answered together: one way there and back for
   * all of them. Each sees what those before it did.
   */
  final class Round {
    private final List<Part> parts = new ArrayList<>();
    private boolean begins;

    Round query(String name, Parameters.Binding binding, Cells.Reading<?> reading) {
      return query(new Rows.Sql(STATEMENTS.text(name), binding), reading);
    }

    Round query(Rows.Sql sql, Cells.Reading<?> reading) {
      parts.add(new Part(sql.text(), sql.binding(), reading, null));
      return this;
    }

    Round write(String name, Parameters.Binding binding, Counting counting) {
      return write(new Rows.Sql(STATEMENTS.text(name), binding), counting);
    }

    Round write(Rows.Sql sql, Counting counting) {
      parts.add(new Part(sql.text(), sql.binding(), null, counting));
      return this;
    }

    /** Begins a transaction with this round, instead of the driver, which waits for the answer. */
    Round begin() {
      parts.add(0, new Part(STATEMENTS.text("begin"), none -> {}, null, null));
      begins = true;
      return this;
    }

    boolean isEmpty() {
      return parts.isEmpty();
    }

    void run() throws SQLException {
      if (parts.isEmpty()) {
        return;
      }
      if (blind) {
        throw new Unseen();
      }
      if (begins) {
        connection.setAutoCommit(true);
        try {
          send();
        } finally {
          if (!connection.isClosed()) {
            connection.setAutoCommit(false);
          }
        }
      } else {
        send();
      }
    }

    private void send() throws SQLException {
      String text = TEXTS.computeIfAbsent(parts.stream().map(Part::text).toList(), Session::text);
      try (PreparedStatement statement = connection.prepareStatement(text)) {
        Parameters parameters = new Parameters(connection, statement);
        for (Part part : parts) {
          part.binding().bind(parameters);
        }
        boolean isQuery = statement.execute();
        for (Part part : parts) {
          if (isQuery) {
            read(statement, part);
          } else if (part.counting() != null) {
            part.counting().count(statement.getUpdateCount());
          }
          isQuery = statement.getMoreResults();
        }
      }
    }

    private void read(PreparedStatement statement, Part part) throws SQLException {
      try (ResultSet results = statement.getResultSet()) {
        Cells cells = new Cells(results);
        Cells.@Nullable Reading<?> reading = part.reading();
        while (reading != null && results.next()) {
          reading.read(cells.next());
        }
      }
    }
  }

  private static String text(List<String> parts) {
    return String.join(";\n", parts);
  }
}
