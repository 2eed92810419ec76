package dev.pawl.store.sql.sqlite;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Violation;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Scene;
import dev.pawl.testkit.Await;
import dev.pawl.time.Ids;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteSchemaTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void place() {
    file = directory.resolve("store.db");
  }

  @Test
  void aNewFileBecomesAStore() throws Exception {
    open().close();

    assertThat(ask("SELECT group_concat(version || ' ' || name, ', ') FROM pawl_schema"))
        .isEqualTo(
            "1 0001-runs.sql, 2 0002-definitions.sql, 3 0003-blobs.sql, 4 0004-ttl.sql,"
                + " 5 0005-received.additive.sql");
    assertThat(ask("PRAGMA application_id")).isEqualTo(String.valueOf(0x5061776c));
    assertThat(ask("PRAGMA journal_mode")).isEqualTo("wal");
  }

  @Test
  void whatWasWrittenIsThereAfterReopening() {
    try (SqliteStore store = open()) {
      Scene.started(store, "w");
    }
    try (SqliteStore store = open()) {
      assertThat(store.list(Query.all())).hasSize(1);
    }
  }

  @Test
  void manyOpenersAtOnceMakeOneSchema() throws Exception {
    int openers = 8;
    CountDownLatch ready = new CountDownLatch(openers);
    try (ExecutorService threads = Executors.newFixedThreadPool(openers)) {
      List<Future<?>> opened = new ArrayList<>();
      for (int i = 0; i < openers; i++) {
        opened.add(
            threads.submit(() -> {
              ready.countDown();
              ready.await();
              try (SqliteStore store = open()) {
                return Scene.started(store, "w");
              }
            }));
      }
      for (Future<?> one : opened) {
        one.get();
      }
    }
    assertThat(ask("SELECT count(*) FROM pawl_schema")).isEqualTo("5");
    assertThat(ask("SELECT count(*) FROM pawl_run")).isEqualTo("8");
  }

  @Test
  void tablesOfOthersAreLeftAlone() throws Exception {
    execute(
        "PRAGMA application_id = 7",
        "CREATE TABLE orders (id INTEGER)",
        "INSERT INTO orders VALUES (42)");

    open().close();

    assertThat(ask("SELECT id FROM orders")).isEqualTo("42");
    assertThat(ask("PRAGMA application_id")).isEqualTo("7");
    assertThat(
            ask(
                "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'pawl_%' AND name NOT LIKE"
                    + " 'sqlite_%'"))
        .isEqualTo("1");
  }

  @Test
  void aNewerSchemaIsRefusedWithBothVersions() throws Exception {
    open().close();
    execute("INSERT INTO pawl_schema VALUES (7, '0007-later.sql', 'x', 0)");

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_TOO_NEW))
        .hasMessageContaining("version 7")
        .hasMessageContaining("up to 5")
        .hasMessageContaining(file.toString());
  }

  @Test
  void aSchemaFromOtherScriptsIsRefused() throws Exception {
    open().close();
    execute("UPDATE pawl_schema SET checksum = 'other'");

    assertThatThrownBy(this::open)
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_A_STORE))
        .hasMessageContaining("another build");
  }

  @Test
  void aStoreOfTheFirstVersionIsBroughtUpAndGoesOn() throws Exception {
    try (InputStream old = getClass().getResourceAsStream("store-version-1.db.gz")) {
      Files.copy(new GZIPInputStream(requireNonNull(old)), file);
    }
    try (SqliteStore store = open()) {
      assertThat(store.list(Query.all()))
          .extracting(run -> run.type() + " " + run.status().word())
          .containsExactly(
              "wait.v1 pending",
              "later.v1 pending",
              "bad.one.v1 pending",
              "mail.send.v1 succeeded");
      assertThat(store.types()).extracting(TypeState::type).containsExactly("wait.v1");
      List<Violation> found = new ArrayList<>();
      Doctor.check(store, found::add);
      assertThat(found).isEmpty();

      Command.Claim claim = new Command.Claim(Scene.claimant("w"), Routes.of("%"), 10);
      assertThat(((Outcome.Claimed) Scene.commit(store, claim)).activations())
          .extracting(held -> held.run().type())
          .containsExactly("bad.one.v1");
      Definition definition = Definition.of("a.v1", "script", "return 1");
      Scene.commit(store, new Command.Deploy(definition));
      assertThat(store.definitions("a.v1")).containsExactly(definition);

      assertThat(store.list(Query.all())).allMatch(run -> run.ttl().isEmpty());
      NewRun brief =
          NewRun.of(new RunId(Ids.next()), "brief.v1", Json.NULL).withTtl(Duration.ofMillis(1));
      Scene.commit(store, new Command.Start(brief));
      Scene.commit(store, new Command.Cancel(brief.id(), "enough", false));
      Await.until("its time is over", () -> isOver(store, brief.id()));
      // The file's topic event gets older every day: it is to be kept for as long as this is run.
      Command.Purge purge = new Command.Purge(Duration.ofDays(30), Duration.ofDays(36_500), 10);
      assertThat(Scene.commit(store, purge)).isEqualTo(new Outcome.Purged(1, 0));
    }
  }

  private static boolean isOver(SqliteStore store, RunId id) {
    return !store.run(id).orElseThrow().expiry().orElseThrow().isAfter(store.now());
  }

  @Test
  void anOldSqliteIsRefused() {
    Schema.checkVersion("3.51.3");
    Schema.checkVersion("3.100.0");
    Schema.checkVersion("4.0.0");
    assertThatThrownBy(() -> Schema.checkVersion("3.51.2"))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("3.51.3");
  }

  @Test
  void peopleCanLookInWithSqlite3() throws Exception {
    String id;
    try (SqliteStore store = open()) {
      id = Scene.started(store, "w").run().id().toString();
      store.commit(List.of(new Command.Configure(TypeState.paused("a.b"))));
    }
    assertThat(ask("SELECT id || ' ' || status || ' ' || payload FROM pawl_runs"))
        .isEqualTo(id + " running \"payload\"");
  }

  private SqliteStore open() {
    return SqliteStore.open(file, SqliteOptions.defaults());
  }

  private String ask(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        var results = statement.executeQuery(sql)) {
      return results.getString(1);
    }
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
