package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.Scene;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteTransactTest {
  @TempDir Path directory;
  private Path file;
  private SqliteStore store;

  @BeforeEach
  void open() throws SQLException {
    file = directory.resolve("store.db");
    store = SqliteStore.open(file, SqliteOptions.defaults());
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id TEXT)");
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theBodysWritesAndTheEventAreCommittedTogether() throws SQLException {
    Activation held = Scene.started(store, "w");

    Outcome outcome = Scene.commit(store, Scene.transact(held, resource -> insert(resource, "a")));

    assertThat(outcome)
        .isEqualTo(new Outcome.Transacted(store.log(held.run().id(), held.seq(), 9).get(0)));
    assertThat(orders()).containsExactly("a");
  }

  @Test
  void aBodyThatThrowsIsUndoneAndItsNeighboursAreNot() throws SQLException {
    Activation one = Scene.started(store, "w");
    Activation two = Scene.started(store, "w");
    IllegalStateException thrown = new IllegalStateException("no stock");

    List<Outcome> outcomes =
        store.commit(
            List.of(
                Scene.transact(one, resource -> insert(resource, "one")),
                Scene.transact(
                    two,
                    resource -> {
                      insert(resource, "two");
                      throw thrown;
                    }),
                Scene.advance(two, 1, Scene.step("instead"))));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Transacted.class);
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.Threw(thrown));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Advanced.class);
    assertThat(orders()).containsExactly("one");
  }

  @Test
  void aBodyWhoseEventIsImpossibleIsUndone() throws SQLException {
    Activation held = Scene.started(store, "w");
    Event created = store.log(held.run().id(), 0, 1).get(0).event();

    Outcome outcome =
        Scene.commit(
            store,
            Scene.transact(
                held,
                resource -> {
                  insert(resource, "x");
                  return created;
                }));

    assertThat(outcome).isInstanceOf(Outcome.Broken.class);
    assertThat(orders()).isEmpty();
  }

  @Test
  void aStaleBodyDoesNotRun() throws SQLException {
    Activation held = Scene.started(store, "w");
    Scene.commit(store, Scene.advance(held, 1, Scene.step("first")));

    assertThat(Scene.commit(store, Scene.transact(held, resource -> insert(resource, "x"))))
        .isInstanceOf(Outcome.Fenced.class);
    assertThat(orders()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEGIN", "COMMIT", " rollback", "END", "SAVEPOINT x", "VACUUM"})
  void aBodyCannotEndTheTransactionBySql(String sql) throws SQLException {
    Activation held = Scene.started(store, "w");

    Outcome outcome =
        Scene.commit(
            store,
            Scene.transact(
                held,
                resource -> {
                  insert(resource, "x");
                  try (Statement statement = ((Connection) resource).createStatement()) {
                    statement.execute(sql);
                  }
                  return Scene.step("never");
                }));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Threw.class,
            threw -> assertThat(threw.exception()).hasMessageContaining("must not execute"));
    assertThat(orders()).isEmpty();
  }

  @Test
  void aBodyCannotEndTheTransactionByCalls() {
    Activation held = Scene.started(store, "w");
    Scene.commit(
        store,
        Scene.transact(
            held,
            resource -> {
              Connection connection = (Connection) resource;
              assertThatThrownBy(connection::commit).hasMessageContaining("must not call commit()");
              assertThatThrownBy(connection::rollback)
                  .hasMessageContaining("must not call rollback()");
              assertThatThrownBy(connection::close).hasMessageContaining("must not call close()");
              assertThatThrownBy(() -> connection.setAutoCommit(false))
                  .hasMessageContaining("setAutoCommit");
              try (Statement statement = connection.createStatement()) {
                assertThat(statement.getConnection()).isSameAs(connection);
              }
              return Scene.step("done");
            }));
    assertThat(store.log(held.run().id(), held.seq(), 9)).hasSize(1);
  }

  @Test
  void whatABodyLeftOpenIsClosedAndItsConnectionEndsWithIt() {
    Activation held = Scene.started(store, "w");
    AtomicReference<Connection> kept = new AtomicReference<>();
    AtomicReference<Statement> open = new AtomicReference<>();
    Scene.commit(
        store,
        Scene.transact(
            held,
            resource -> {
              kept.set((Connection) resource);
              PreparedStatement statement = kept.get().prepareStatement("SELECT * FROM orders");
              open.set(statement);
              statement.executeQuery();
              return Scene.step("done");
            }));

    assertThatThrownBy(() -> kept.get().createStatement()).hasMessageContaining("is over");
    assertThatThrownBy(() -> open.get().getResultSet().next()).isInstanceOf(Exception.class);
  }

  @Test
  void aBodyThatWritesToTheStoreIsRefusedInsteadOfHanging() {
    Activation held = Scene.started(store, "w");

    Outcome outcome =
        Scene.commit(
            store,
            Scene.transact(
                held,
                resource -> {
                  store.commit(List.of(new Command.Start(Scene.run())));
                  return Scene.step("never");
                }));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Threw.class,
            threw ->
                assertThat(threw.exception())
                    .isInstanceOf(PawlException.class)
                    .hasMessageContaining("own"));
  }

  @Test
  void aProcessKilledInsideABodyLeavesNothing() throws Exception {
    try (OtherProcess other = OtherProcess.start(file, "die in a transaction")) {
      other.awaitLine("hanging");
      other.kill();
    }
    assertThat(orders()).isEmpty();
    assertThat(store.list(dev.pawl.store.Query.all()))
        .singleElement()
        .satisfies(run -> assertThat(store.log(run.id(), 0, 9)).hasSize(2));
    Activation held = Scene.started(store, "w");
    assertThat(Scene.commit(store, Scene.advance(held, 1, new Event.Succeeded(Json.NULL))))
        .isInstanceOf(Outcome.Advanced.class);
  }

  @Test
  void aProcessKilledAfterItsCommitLeavesAllOfIt() throws Exception {
    try (OtherProcess other = OtherProcess.start(file, "die after a transaction")) {
      other.awaitLine("hanging");
      other.kill();
    }
    var run = store.list(dev.pawl.store.Query.all()).get(0);
    assertThat(orders()).containsExactly(run.id().toString());
    assertThat(store.log(run.id(), 0, 9)).hasSize(3);
  }

  private static Event insert(Object resource, String id) throws SQLException {
    try (PreparedStatement statement =
        ((Connection) resource).prepareStatement("INSERT INTO orders VALUES (?)")) {
      statement.setString(1, id);
      statement.executeUpdate();
    }
    return Scene.step("order " + id);
  }

  private List<String> orders() throws SQLException {
    List<String> found = new java.util.ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        var results = statement.executeQuery("SELECT id FROM orders")) {
      while (results.next()) {
        found.add(results.getString(1));
      }
    }
    return found;
  }
}
