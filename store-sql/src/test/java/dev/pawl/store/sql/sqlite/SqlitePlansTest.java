package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.sql.Statements;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way SQLite takes, on tables that were never analysed: that is how they are in life. */
class SqlitePlansTest {
  private static final Statements STATEMENTS =
      Statements.read(
          SqliteStore.class, "runs.sql", "events.sql", "claims.sql", "messages.sql", "reads.sql");

  @TempDir Path directory;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    Path file = directory.resolve("store.db");
    SqliteStore.open(file, SqliteOptions.defaults()).close();
    connection = DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"first-type", "next-type", "next-rank", "due-in-rank", "later-in-rank"})
  void aClaimSeeksInTheClaimIndexAloneAndNeverSorts(String statement) throws SQLException {
    assertThat(plan(statement))
        .singleElement()
        .asString()
        .startsWith("SEARCH pawl_run USING COVERING INDEX pawl_run_claim (type");
  }

  @Test
  void whatIsDueInARankIsFoundByAllThreeColumns() throws SQLException {
    assertThat(plan("due-in-rank")).asString().contains("(type=? AND rank=? AND due_at<?)");
    assertThat(plan("later-in-rank")).asString().contains("(type=? AND rank=? AND due_at>?)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run-by-id",
        "run-by-rid",
        "run-by-key",
        "fence",
        "id-by-key",
        "last-rid",
        "move-run",
        "settle-run",
        "extend-run",
        "wake-run",
        "count-wake",
        "hide-run",
        "awaited-children",
        "purgeable-runs",
        "expired-runs",
        "purge-run",
        "last-seq",
        "last-word",
        "rewound-by",
        "log",
        "purge-events",
        "mailbox",
        "has-message",
        "knows-message",
        "consume-mail",
        "empty-mailbox",
        "awaits",
        "awaited-topics",
        "clear-waits",
        "runs-awaiting-topic",
        "emitted",
        "topic-events",
        "purge-topics",
        "list",
        "list-children",
        "list-trouble",
        "mailbox-of"
      })
  void noOtherStatementReadsAWholeTable(String statement) throws SQLException {
    assertThat(plan(statement)).noneMatch(step -> step.startsWith("SCAN"));
  }

  @Test
  void whatWasReceivedIsFoundByItsId() throws SQLException {
    assertThat(plan("knows-message"))
        .anyMatch(step -> step.contains("pawl_event_received (rid=? AND <expr>=?)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list",
        "list-children",
        "list-trouble",
        "log",
        "topic-events",
        "last-word",
        "expired-runs"
      })
  void whatComesInOrderIsNotSorted(String statement) throws SQLException {
    assertThat(plan(statement)).noneMatch(step -> step.contains("TEMP B-TREE"));
  }

  private List<String> plan(String name) throws SQLException {
    List<String> steps = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("EXPLAIN QUERY PLAN " + STATEMENTS.text(name))) {
      while (results.next()) {
        steps.add(results.getString("detail"));
      }
    }
    return steps;
  }
}
