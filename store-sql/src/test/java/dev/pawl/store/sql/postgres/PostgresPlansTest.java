package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.NewRun;
import dev.pawl.store.sql.Statements;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which way Postgres takes: on tables that are empty and were never analysed, which is when a plan
 * is made and kept, and on tables full of what is not wanted.
 */
class PostgresPlansTest {
  private static final String EMPTY = PostgresServer.shared().database();
  private static final String FULL = PostgresServer.shared().database();
  private static final Statements STATEMENTS = Session.STATEMENTS;
  private static final Pattern INDEX = Pattern.compile("Index (?:Only )?Scan.* using (\\w+) on");

  private Connection connection;

  @BeforeAll
  static void prepare() throws SQLException {
    PostgresStore.open(EMPTY, PostgresOptions.defaults()).close();
    PostgresStore.open(FULL, PostgresOptions.defaults()).close();
    fill();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private void open(String url) throws SQLException {
    if (connection != null) {
      connection.close();
    }
    connection = PostgresServer.connect(url);
    execute(STATEMENTS.text("plan-by-index").replace("true", "false"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"claim", "find-due", "claim-heads", "claim-later", "peek"})
  void aClaimSeeksInItsIndex(String statement) throws SQLException {
    open(EMPTY);
    assertThat(indexes(plan(statement))).containsOnly(claimIndexes(statement));
    open(FULL);
    assertThat(indexes(plan(statement))).containsOnly(claimIndexes(statement));
  }

  /** The rows that are claimed are read by their keys, with what belongs to them. */
  private static String[] claimIndexes(String statement) {
    return statement.equals("claim")
        ? new String[] {
          "workflow_run_due",
          "workflow_registry_pkey",
          "workflow_run_pkey",
          "workflow_log_place",
          "workflow_mail_message"
        }
        : new String[] {"workflow_run_due", "workflow_registry_pkey"};
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock-runs",
        "read-runs",
        "read-keys",
        "hide-runs",
        "awaited-children",
        "purgeable-runs",
        "expired-runs",
        "hide-expired",
        "purge-runs",
        "insert-events",
        "last-words",
        "rewound-by",
        "log",
        "logs",
        "purge-events",
        "insert-mail",
        "read-mail",
        "read-candidates-mail",
        "mailbox-of",
        "read-messages",
        "send-alone",
        "notify-due",
        "consume-mail",
        "empty-mailboxes",
        "read-waits",
        "read-candidates-waits",
        "clear-waits",
        "insert-waits",
        "runs-awaiting-topic",
        "insert-topics",
        "emitted",
        "read-emitted",
        "read-topic-events",
        "run-by-id",
        "run-by-key",
        "list",
        "list-children",
        "list-trouble",
        "claim",
        "find-due",
        "claim-found",
        "claim-told",
        "claim-heads",
        "claim-later",
        "peek"
      })
  void nothingReadsAWholeTable(String statement) throws SQLException {
    open(EMPTY);
    assertThat(plan(statement)).noneMatch(PostgresPlansTest::readsATable);
    open(FULL);
    assertThat(plan(statement)).noneMatch(PostgresPlansTest::readsATable);
  }

  @Test
  void whatWasReceivedIsFoundByItsId() throws SQLException {
    for (String url : List.of(EMPTY, FULL)) {
      open(url);
      assertThat(indexes(plan("read-messages")))
          .containsOnly("workflow_run_pkey", "workflow_log_received", "workflow_mail_message");
    }
  }

  @Test
  void aSignalThatComesAloneFindsAllByKey() throws SQLException {
    for (String url : List.of(EMPTY, FULL)) {
      open(url);
      assertThat(indexes(plan("send-alone")))
          .containsOnly(
              "workflow_run_pkey",
              "workflow_wait_pkey",
              "workflow_log_received",
              "workflow_mail_message");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hide-runs",
        "hide-expired",
        "lock-runs",
        "read-runs",
        "purge-runs",
        "claim-found"
      })
  void rowsAreFoundByTheirKeysAlone(String statement) throws SQLException {
    open(EMPTY);
    assertThat(indexes(plan(statement))).contains("workflow_run_pkey").noneMatch(this::isOther);
    open(FULL);
    assertThat(indexes(plan(statement))).contains("workflow_run_pkey").noneMatch(this::isOther);
  }

  @Test
  void whatIsExpiredIsFoundInItsOrder() throws SQLException {
    for (String url : List.of(EMPTY, FULL)) {
      open(url);
      assertThat(indexes(plan("expired-runs"))).containsOnly("workflow_run_expiry");
      assertThat(plan("expired-runs")).noneMatch(step -> step.contains("Sort"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void rowsAreUpdatedByTheirKeysAlone(int count) throws SQLException {
    String update = RunColumns.update(changedRuns(count)).text();
    for (String url : List.of(EMPTY, FULL)) {
      open(url);
      assertThat(indexes(planOf(update))).containsOnly("workflow_run_pkey");
    }
  }

  private static List<KnownRun> changedRuns(int count) {
    List<KnownRun> runs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NewRun wanted = NewRun.of(new RunId(new UUID(0, i)), "a.v1", Json.number(i));
      Event created = wanted.created(Instant.EPOCH, 0);
      Run run = Run.created(wanted.id(), new Entry(1, Instant.EPOCH, 0, created));
      KnownRun known = KnownRun.stored(run, i, 1, 0);
      known.become(run.change().wakes(i + 1).run());
      runs.add(known);
    }
    return runs;
  }

  private boolean isOther(String index) {
    return index.contains("workflow_run") && !index.equals("workflow_run_pkey");
  }

  @ParameterizedTest
  @ValueSource(strings = {"billing.%' or type like 'payment.%", "billing.%"})
  void aWorkerInSqlFindsATypesPrefixByItsIndex(String pattern) throws SQLException {
    open(FULL);
    execute("RESET ALL");
    List<String> plan =
        lines(
            "EXPLAIN select id, type, payload, attempt, max_attempts from workflow.workflow_run"
                + " where status = 'pending' and (type like '"
                + pattern
                + "') and run_at <= now() and deleted_at is null order by priority asc, created_at"
                + " asc for update skip locked limit 1");

    assertThat(plan).anyMatch(line -> line.contains("idx_workflow_run_type_prefix"));
  }

  /** Others' runs, sleepers and finished ones, with logs. */
  private static void fill() {
    PostgresServer.execute(
        FULL,
        "INSERT INTO workflow.workflow_run (type, status, run_at, version, begun,"
            + " finished_at, ttl)"
            + " SELECT 'other.v' || n % 7,"
            + " (ARRAY['pending', 'suspended', 'succeeded', 'failed'])[1 + n % 4],"
            + " CASE WHEN n % 4 = 0 THEN now() END, 1, n % 4 > 0,"
            + " CASE WHEN n % 4 > 1 THEN now() END, CASE WHEN n % 3 = 0 THEN 86400000 END"
            + " FROM generate_series(1, 20000) n");
    PostgresServer.execute(
        FULL,
        "INSERT INTO workflow.workflow_log (workflow_id, event_type, seq, epoch) SELECT r.id,"
            + " 'created', n, 0 FROM workflow.workflow_run r, generate_series(1, 3) n");
    PostgresServer.execute(
        FULL,
        "INSERT INTO workflow.workflow_wait (workflow_id, kind, name)"
            + " SELECT id, 'topic', 'topic' || type FROM workflow.workflow_run"
            + " WHERE status = 'suspended'");
    PostgresServer.execute(
        FULL,
        "INSERT INTO workflow.workflow_mail (workflow_id, id, kind, data)"
            + " SELECT id, 1, 'child', '{}' FROM workflow.workflow_run WHERE status = 'suspended'");
    PostgresServer.execute(
        FULL,
        "INSERT INTO workflow.workflow_topic (position, topic, message, data, created_at)"
            + " SELECT n, 'topic' || n % 9, gen_random_uuid(), '{}', now()"
            + " FROM generate_series(1, 5000) n");
    PostgresServer.execute(FULL, "ANALYZE");
  }

  private static boolean readsATable(String step) {
    return step.contains("Seq Scan on") && step.contains("workflow_");
  }

  private static List<String> indexes(List<String> plan) {
    List<String> found = new ArrayList<>();
    for (String line : plan) {
      Matcher matcher = INDEX.matcher(line);
      if (matcher.find()) {
        found.add(matcher.group(1));
      }
    }
    return found;
  }

  private List<String> plan(String name) throws SQLException {
    return planOf(STATEMENTS.text(name));
  }

  private List<String> planOf(String text) throws SQLException {
    StringBuilder numbered = new StringBuilder();
    int parameters = 0;
    for (char c : text.toCharArray()) {
      numbered.append(c == '?' ? "$" + ++parameters : String.valueOf(c));
    }
    execute("DEALLOCATE ALL");
    execute("PREPARE it AS " + numbered);
    String arguments = String.join(", ", Collections.nCopies(parameters, "NULL"));
    return lines("EXPLAIN EXECUTE it" + (parameters == 0 ? "" : "(" + arguments + ")"));
  }

  private List<String> lines(String sql) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      while (results.next()) {
        lines.add(results.getString(1));
      }
    }
    return lines;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
