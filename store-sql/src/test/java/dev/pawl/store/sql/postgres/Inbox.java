package dev.pawl.store.sql.postgres;

import dev.pawl.log.Entry;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import dev.pawl.store.sql.SqlStores;
import dev.pawl.store.sql.Statements;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A store in Postgres, and somebody beside it who speaks nothing but SQL. Statements are given as
 * text with the values in it, as a person at psql would.
 */
final class Inbox implements AutoCloseable {
  private static final String URL = PostgresServer.shared().database();
  private static final Statements WORDS = Statements.read(Inbox.class, "inbox.sql");

  private static final class Shared {
    private static final Store STORE = SqlStores.open(URL);
  }

  final Store store;
  final Connection connection;

  private Inbox(Store store, Connection connection) {
    this.store = store;
    this.connection = connection;
  }

  /** An empty one. The store behind it is the same for all tests of a JVM, and ends with it. */
  static Inbox open() {
    try {
      Store store = Shared.STORE;
      PostgresServer.empty(URL);
      return new Inbox(store, PostgresServer.connect(URL));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  static String url() {
    return URL;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  // ---- the settled words ----

  /** The statement of this name, with values in the place of its parameters. */
  static String words(String name, Map<String, ?> values) {
    String sql = WORDS.text(name);
    for (Map.Entry<String, ?> value : values.entrySet()) {
      sql = sql.replace(":" + value.getKey(), "'" + value.getValue() + "'");
    }
    return sql;
  }

  static String words(String name) {
    return words(name, Map.of());
  }

  static String words(String name, RunId run) {
    return words(name, Map.of("run_id", run));
  }

  int lease(RunId run, String worker) {
    return change(words("lease", Map.of("run_id", run, "worker_id", worker)));
  }

  // ---- any words ----

  /** Executes a statement; returns how many rows it changed. */
  int change(String sql) {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new Refused(e);
    }
  }

  /** What a query finds: the columns of each row, as texts with a bar between them. */
  List<String> ask(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(String.valueOf(found.getString(i)));
        }
        rows.add(String.join("|", row));
      }
      return rows;
    } catch (SQLException e) {
      throw new Refused(e);
    }
  }

  /** Inserts a run by a statement without more than values: {@code "(type) values ('a.b.v1')"}. */
  RunId insert(String columnsAndValues) {
    return RunId.parse(
        ask("insert into workflow.workflow_run " + columnsAndValues + " returning id").getFirst());
  }

  RunId insertOf(String type) {
    return insert("(type) values ('" + type + "')");
  }

  /** Changes the columns of a run. */
  int set(RunId run, String assignments) {
    return change("update workflow.workflow_run set " + assignments + " where id = '" + run + "'");
  }

  /** A column of a run, as text. */
  String get(RunId run, String column) {
    return ask("select " + column + " from workflow.workflow_run where id = '" + run + "'")
        .getFirst();
  }

  /** Takes a run for a moment, and returns when that is over. */
  void leaseBriefly(RunId run, String worker) {
    set(
        run,
        "status = 'leased', leased_by = '"
            + worker
            + "', lease_until = clock_timestamp() + interval '20 milliseconds'");
    Await.until(
        "the lease has expired", () -> get(run, "lease_until < clock_timestamp()").equals("t"));
  }

  // ---- what the engine sees ----

  Run run(RunId id) {
    return store.run(id).orElseThrow();
  }

  List<Entry> log(RunId id) {
    return store.log(id, 0, 1000);
  }

  /** The kinds of the entries in a run's log. */
  String kinds(RunId id) {
    return log(id).stream()
        .map(entry -> EventCodec.kind(entry.event()))
        .collect(Collectors.joining(" "));
  }

  /** The last event of a run. */
  Object last(RunId id) {
    return log(id).getLast().event();
  }

  /** Fails if the doctor finds anything. */
  void isSound() {
    Invariants.check(store);
  }

  /** What Postgres said to a statement. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final SQLException cause;

    Refused(SQLException cause) {
      super(cause.getMessage().lines().findFirst().orElse(""), cause);
      this.cause = cause;
    }

    String state() {
      return cause.getSQLState();
    }
  }
}
