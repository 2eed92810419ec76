package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.sql.Scene;
import dev.pawl.store.sql.SqlStores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class SqliteErrorsTest {
  @TempDir Path directory;

  @Nested
  class Opening {
    @Test
    void aFileThatIsNotADatabaseIsNotAStore() throws Exception {
      Path file = Files.writeString(directory.resolve("notes.txt"), "Dear diary, ".repeat(1000));

      PawlException problem = refused(() -> open(file));

      assertThat(problem.code()).isEqualTo(ErrorCode.NOT_A_STORE);
      assertThat(problem)
          .hasMessageContaining("notes.txt")
          .hasMessageContaining("not a SQLite database");
      assertThat(Files.readString(file)).startsWith("Dear diary");
    }

    @Test
    void aDirectoryIsNotAFile() {
      assertThat(refused(() -> open(directory)).code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
    }

    @Test
    void aMissingDirectoryIsNamed() {
      PawlException problem = refused(() -> open(directory.resolve("no/such/store.db")));

      assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(problem).hasMessageContaining(directory.resolve("no/such").toString());
    }

    @Test
    void aUrlNamesAFileAndALevel() {
      try (Store store =
          SqlStores.open("sqlite:" + directory.resolve("a b.db") + "?synchronous=normal")) {
        assertThat(store.durability())
            .startsWith("sqlite NORMAL: ")
            .contains("crash of the process");
      }
      try (Store store = SqlStores.open("sqlite:" + directory.resolve("a b.db"))) {
        assertThat(store.durability())
            .isEqualTo("sqlite FULL: an acknowledged write survives power loss");
        assertThat(store.transactionResource()).contains(Connection.class);
      }
    }

    @Test
    void aUrlThatMakesNoSenseIsExplained() {
      assertThat(refused(() -> SqlStores.open("mongo:x"))).hasMessageContaining("sqlite:PATH");
      assertThat(refused(() -> SqlStores.open("sqlite:"))).hasMessageContaining("names no file");
      assertThat(refused(() -> SqlStores.open("sqlite:x.db?color=red")))
          .hasMessageContaining("color");
      assertThat(refused(() -> SqlStores.open("sqlite:x.db?synchronous=OFF")))
          .hasMessageContaining("FULL and NORMAL");
    }
  }

  @Nested
  class Writing {
    @Test
    void aFullDiskIsADefiniteErrorAndTheStoreGoesOn() {
      try (SqliteStore store = open(directory.resolve("s.db"))) {
        Activation held = Scene.started(store, "w");
        pragma(store, held, "PRAGMA max_page_count = 60");
        NewRun large = NewRun.of(Scene.id(), Scene.TYPE, Json.string("x".repeat(1 << 20)));

        PawlException problem =
            refused(() ->
                store.commit(
                    List.of(
                        Scene.advance(held, 2, Scene.step("with it")), new Command.Start(large))));

        assertThat(problem.code()).isEqualTo(ErrorCode.STORE_FULL);
        assertThat(store.log(held.run().id(), held.seq() + 1, 9)).isEmpty();
        assertThat(Scene.commit(store, Scene.advance(held, 2, Scene.step("again"))))
            .isInstanceOf(Outcome.Advanced.class);
      }
    }

    @Test
    void aStoreThatBecomesReadOnlySaysSo() {
      try (SqliteStore store = open(directory.resolve("s.db"))) {
        Activation held = Scene.started(store, "w");

        PawlException problem =
            refused(
                () -> Scene.commit(store, Scene.transact(held, body("PRAGMA query_only = ON"))));

        assertThat(problem.code()).isEqualTo(ErrorCode.STORE_READ_ONLY);
        assertThat(Scene.commit(store, Scene.advance(held, 1, Scene.step("after"))))
            .isInstanceOf(Outcome.Advanced.class);
      }
    }

    @Test
    void anotherProcessThatKeepsTheWriteLockIsReported() throws Exception {
      Path file = directory.resolve("s.db");
      try (SqliteStore store =
              SqliteStore.open(file, SqliteOptions.defaults().busy(Duration.ofMillis(50)));
          Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
          Statement statement = other.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");

        PawlException problem = refused(() -> Scene.started(store, "w"));
        assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(problem).hasMessageContaining("another process");
        assertThat(store.list(Query.all())).isEmpty();

        statement.execute("ROLLBACK");
        assertThat(Scene.started(store, "w").run().status()).isEqualTo(Status.RUNNING);
      }
    }

    @Test
    void anIoErrorDuringCommitLeavesTheOutcomeUnknown() {
      Path file = directory.resolve("s.db");
      SQLiteException io = new SQLiteException("fsync", SQLiteErrorCode.SQLITE_IOERR_FSYNC);

      assertThat(Diagnosis.ofCommit(io, file).code()).isEqualTo(ErrorCode.UNKNOWN_OUTCOME);
      assertThat(Diagnosis.of(io, file).code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      SQLiteException full = new SQLiteException("full", SQLiteErrorCode.SQLITE_FULL);
      assertThat(Diagnosis.ofCommit(full, file).code()).isEqualTo(ErrorCode.STORE_FULL);
      SQLiteException damaged =
          new SQLiteException("malformed", SQLiteErrorCode.SQLITE_CORRUPT_INDEX);
      assertThat(Diagnosis.of(damaged, file)).hasMessageContaining("integrity_check");
    }
  }

  @Nested
  class OneBadCommand {
    @Test
    void anImpossibleEventBreaksOnlyItsOwnCommand() {
      try (SqliteStore store = open(directory.resolve("s.db"))) {
        Activation held = Scene.started(store, "w");
        Event again = store.log(held.run().id(), 0, 1).get(0).event();

        List<Outcome> outcomes =
            store.commit(
                List.of(
                    Scene.advance(held, 1, again),
                    Scene.advance(held, 1, new Event.Retried(failure(), Instant.MAX, false)),
                    Scene.advance(held, 1, Scene.step("fine"))));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Broken.class);
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Broken.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Advanced.class);
        assertThat(store.log(held.run().id(), held.seq(), 9)).hasSize(1);
      }
    }

    @Test
    void aChildWhoseIdIsTakenBreaksItsCommandAndWritesNothing() {
      try (SqliteStore store = open(directory.resolve("s.db"))) {
        Activation held = Scene.started(store, "w");
        NewRun child = Scene.run();
        Command.Advance twice =
            new Command.Advance(
                held.run().id(),
                held.run().epoch(),
                held.seq() + 1,
                0,
                List.of(Scene.step("x")),
                List.of(),
                List.of(child, child),
                List.of(),
                List.of());

        assertThat(Scene.commit(store, twice))
            .isInstanceOfSatisfying(
                Outcome.Broken.class,
                broken -> assertThat(broken.problem().code()).isEqualTo(ErrorCode.CONFLICT));
        assertThat(store.run(child.id())).isEmpty();
        assertThat(store.log(held.run().id(), held.seq(), 9)).isEmpty();
      }
    }

    private static dev.pawl.log.Failure failure() {
      return dev.pawl.log.Failure.of("X", "x");
    }
  }

  @Nested
  class Closing {
    @Test
    void aClosedStoreSaysThatItIsClosed() {
      SqliteStore store = open(directory.resolve("s.db"));
      Activation held = Scene.started(store, "w");
      store.close();
      store.close();

      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> Scene.commit(store, Scene.advance(held, 1, Scene.step("late"))),
              () -> store.run(held.run().id()),
              () -> store.listen(hint -> {}))) {
        assertThat(refused(call).code()).isEqualTo(ErrorCode.CLOSED);
      }
      assertThat(directory.resolve("s.db-wal")).doesNotExist();
    }
  }

  @Nested
  class OddData {
    @Test
    void largeAndStrangeTextsSurvive() {
      Json large = Json.string("ü".repeat(16 << 20));
      Json strange = Json.string("\u0000 \ud800 😀 \u001f");
      try (SqliteStore store = open(directory.resolve("s.db"))) {
        NewRun run = NewRun.of(Scene.id(), "typ😀.ü", large).withKey("schlüssel😀");
        store.commit(List.of(new Command.Start(run, Optional.of(Scene.claimant("w")))));
        Activation held = Scene.started(store, "w");
        Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(strange)));

        assertThat(store.run(run.id()).orElseThrow().payload()).isEqualTo(large);
        assertThat(store.runByKey("schlüssel😀").orElseThrow().type()).isEqualTo("typ😀.ü");
        assertThat(store.run(held.run().id()).orElseThrow().result()).contains(strange);
      }
    }
  }

  private static SqliteStore open(Path file) {
    return SqliteStore.open(file, SqliteOptions.defaults());
  }

  private static void pragma(Store store, Activation held, String sql) {
    assertThat(Scene.commit(store, Scene.transact(held, body(sql))))
        .isInstanceOf(Outcome.Transacted.class);
  }

  private static Command.Transact.Body body(String sql) {
    return resource -> {
      try (Statement statement = ((Connection) resource).createStatement()) {
        statement.execute(sql);
      }
      return Scene.step("body");
    };
  }

  private static PawlException refused(ThrowingCallable call) {
    return catchThrowableOfType(PawlException.class, call);
  }
}
