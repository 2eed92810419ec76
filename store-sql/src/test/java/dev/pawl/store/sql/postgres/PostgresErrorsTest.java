package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.store.sql.Scene;
import dev.pawl.store.sql.SqlStores;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PostgresErrorsTest {
  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String URL = SERVER.database();

  @Nested
  class Opening {
    @Test
    void aDatabaseThatIsNotThereIsNamed() {
      PawlException problem = refused(() -> open(SERVER.url("nobody_made_me")));

      assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(problem)
          .hasMessageContaining("nobody_made_me")
          .hasMessageContaining("has no such database");
    }

    @Test
    void aServerThatIsNotThereIsNamedWithoutThePassword() {
      PawlException problem =
          refused(() -> open("postgres://me:secret@localhost:1/orders?connectTimeout=1"));

      assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
      assertThat(problem)
          .hasMessageContaining("me@localhost:1/orders")
          .hasMessageContaining("cannot be reached")
          .hasMessageNotContaining("secret");
    }

    @Test
    void aRefusedLoginIsSaidToBeOne() {
      SQLException refused = new SQLException("password authentication failed", "28P01");

      assertThat(Diagnosis.of(refused, "postgres://me@there/db"))
          .hasMessageContaining("refuses the login");
    }

    @Test
    void someoneElsesTablesAreLeftAlone() {
      String url = SERVER.database();
      PostgresServer.execute(
          url, "CREATE SCHEMA workflow", "CREATE TABLE workflow.workflow_run (id int)");

      PawlException problem = refused(() -> open(url));

      assertThat(problem.code()).isEqualTo(ErrorCode.NOT_A_STORE);
      assertThat(problem).hasMessageContaining("workflow.workflow_run");
      assertThat(PostgresServer.query(url, "SELECT count(*) FROM workflow.workflow_run"))
          .containsExactly("0");
    }

    @Test
    void aStoreOfANewerPawlIsNotTouched() {
      String url = SERVER.database();
      open(url).close();
      PostgresServer.execute(
          url, "INSERT INTO workflow.workflow_schema VALUES (999, '0999-later.sql', 'x', now())");

      assertThat(refused(() -> open(url)).code()).isEqualTo(ErrorCode.STORE_TOO_NEW);
    }

    @Test
    void aDatabaseThatTakesNoWritesSaysSo() {
      String url = SERVER.database();
      String name = url.substring(url.lastIndexOf('/') + 1);
      PostgresServer.execute(
          url, "ALTER DATABASE " + name + " SET default_transaction_read_only = on");

      assertThat(refused(() -> open(url)).code()).isEqualTo(ErrorCode.STORE_READ_ONLY);
    }

    @Test
    void aUserWithoutRightsIsToldWhichItNeeds() {
      String url = SERVER.database();
      open(url).close();
      PostgresServer.execute(
          url,
          "DO $$ BEGIN CREATE ROLE nobody_much LOGIN PASSWORD 'x'; EXCEPTION WHEN"
              + " duplicate_object THEN NULL; END $$");

      PawlException problem = refused(() -> open(url.replaceFirst("//[^@]*@", "//nobody_much:x@")));

      assertThat(problem).hasMessageContaining("rights");
    }

    @Test
    void aUrlThatMakesNoSenseIsExplained() {
      assertThat(refused(() -> SqlStores.open("postgres://me:secret@host")))
          .hasMessageContaining("names no database")
          .hasMessageNotContaining("secret");
      assertThat(refused(() -> SqlStores.open("postgres://host/db?color=red")))
          .hasMessageContaining("color");
      assertThat(refused(() -> SqlStores.open("postgres://host/db?hints=maybe")))
          .hasMessageContaining("on and off");
      assertThat(refused(() -> SqlStores.open("postgres://host/db?lanes=many")))
          .hasMessageContaining("no number");
      assertThat(refused(() -> SqlStores.open("mongo:x"))).hasMessageContaining("postgres://");
    }

    @Test
    void whatAnAdministratorWouldExecuteMakesTheSchema() {
      String url = SERVER.database();

      String script = PostgresStore.missingSchema(url);
      PostgresServer.execute(url, script);

      assertThat(script).contains("CREATE TABLE workflow.workflow_run");
      assertThat(PostgresStore.missingSchema(url)).isEmpty();
      open(url).close();
    }
  }

  @Nested
  class Addresses {
    @Test
    void everyPartOfAUrlIsUnderstood() {
      PostgresAddress address =
          PostgresAddress.parse(
              "postgresql://us%40er:pa%2Fss+@one:5433,two/db?hints=off&lanes=3&sslmode=require",
              PostgresOptions.defaults());

      assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://one:5433,two/db");
      assertThat(address.properties())
          .containsEntry("user", "us@er")
          .containsEntry("password", "pa/ss+")
          .containsEntry("sslmode", "require")
          .containsEntry("targetServerType", "primary");
      assertThat(address.options().hints()).isFalse();
      assertThat(address.options().lanes()).isEqualTo(3);
      assertThat(address.where()).isEqualTo("postgres://us@er@one:5433,two/db");
    }

    @Test
    void jdbcUrlsAreUnderstoodToo() {
      PostgresAddress address =
          PostgresAddress.parse(
              "jdbc:postgresql://host/db?user=me&password=x", PostgresOptions.defaults());

      assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://host/db");
      assertThat(address.properties()).containsEntry("user", "me").containsEntry("password", "x");
    }
  }

  @Nested
  class Writing {
    @Test
    void aMomentTooFarOffBreaksOnlyItsOwnCommand() {
      try (Store store = open(URL)) {
        Activation held = Scene.started(store, "w");
        Instant far = Instant.parse("+400000-01-01T00:00:00Z");

        List<Outcome> outcomes =
            store.commit(
                List.of(
                    Scene.advance(held, 1, new Event.Retried(Failure.of("X", "x"), far, false)),
                    new Command.Start(Scene.run().withDelay(Duration.ofDays(365L * 500_000))),
                    Scene.advance(held, 1, Scene.step("fine"))));

        assertThat(outcomes.get(0)).isInstanceOf(Outcome.Broken.class);
        assertThat(outcomes.get(1)).isInstanceOf(Outcome.Broken.class);
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Advanced.class);
      }
    }

    @Test
    void aRowThatSomebodyKeepsLockedIsReported() throws Exception {
      try (Store store =
              PostgresStore.open(
                  URL + "?options=-c%20lock_timeout%3D100ms", PostgresOptions.defaults());
          Connection foreign = PostgresServer.connect(URL);
          Statement statement = foreign.createStatement()) {
        Activation held = Scene.started(store, "w");
        foreign.setAutoCommit(false);
        statement.execute(
            "SELECT 1 FROM workflow.workflow_run WHERE id = '" + held.run().id() + "' FOR UPDATE");

        PawlException problem =
            refused(
                () -> Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(Json.NULL))));

        assertThat(problem.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE);
        assertThat(problem).hasMessageContaining("does not end");
        foreign.rollback();
        assertThat(Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(Json.NULL))))
            .isInstanceOf(Outcome.Advanced.class);
      }
    }

    @Test
    void aBodyThatSwallowsAnErrorIsUndone() {
      try (Store store = open(URL)) {
        Activation held = Scene.started(store, "w");

        Outcome outcome =
            Scene.commit(
                store,
                Scene.transact(
                    held,
                    resource -> {
                      try (Statement statement = ((Connection) resource).createStatement()) {
                        statement.execute("SELECT 1 / 0");
                      } catch (SQLException e) {
                        // The body believes that it may go on.
                      }
                      return Scene.step("wrong");
                    }));

        assertThat(outcome).isInstanceOf(Outcome.Threw.class);
        assertThat(Scene.commit(store, Scene.advance(held, 1, Scene.step("right"))))
            .isInstanceOf(Outcome.Advanced.class);
      }
    }

    @Test
    void aClosedStoreSaysThatItIsClosed() {
      Store store = open(URL);
      store.close();
      store.close();

      NewRun run = Scene.run();
      assertThat(refused(() -> Scene.commit(store, new Command.Start(run))).code())
          .isEqualTo(ErrorCode.CLOSED);
      assertThat(refused(() -> store.run(run.id())).code()).isEqualTo(ErrorCode.CLOSED);
      assertThat(refused(() -> store.listen(hint -> {})).code()).isEqualTo(ErrorCode.CLOSED);
    }

    @Test
    void theDurabilityIsThatOfTheServersSettings() {
      try (Store store = open(URL)) {
        assertThat(store.durability())
            .startsWith("postgres fsync=on synchronous_commit=on: ")
            .contains("survives power loss");
      }
      assertThat(Durability.of("on", "off", "")).contains("may undo");
      assertThat(Durability.of("off", "on", "")).contains("damage");
      assertThat(Durability.of("on", "remote_apply", "one")).contains("synchronous standby");
    }
  }

  private static Store open(String url) {
    return PostgresStore.open(url, PostgresOptions.defaults().patience(Duration.ofMillis(500)));
  }

  private static PawlException refused(ThrowingCallable call) {
    return catchThrowableOfType(PawlException.class, call);
  }
}
