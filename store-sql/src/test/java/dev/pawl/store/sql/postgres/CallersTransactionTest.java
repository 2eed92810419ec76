package dev.pawl.store.sql.postgres;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.IfExists;
import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.JsonType;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.work.Task;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that are started in a transaction of the caller's. */
@Timeout(120)
class CallersTransactionTest {
  private static final Task<String, String> ECHO =
      Task.of("echo.v1", String.class, String.class, in -> in);

  private Inbox inbox;
  private Pawl pawl;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    inbox = Inbox.open();
    inbox.change("create table if not exists orders (name text)");
    inbox.change("truncate orders");
    pawl = Pawl.open(Inbox.url()).register(ECHO);
    connection = PostgresServer.connect(Inbox.url());
    connection.setAutoCommit(false);
  }

  @AfterEach
  void closeAndCheck() throws SQLException {
    connection.close();
    pawl.close();
    try {
      inbox.isSound();
    } finally {
      inbox.close();
    }
  }

  private void order(String name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("insert into orders values ('" + name + "')");
    }
  }

  @Test
  void aRunIsThereWhenTheTransactionIs() throws SQLException {
    pawl.work(worker -> worker.poll(ofSeconds(20)));
    order("one");
    RunHandle<String> run = pawl.start(connection, ECHO, "hello");

    assertThat(pawl.find(run.id())).isEmpty();
    connection.commit();

    assertThat(run.result(ofSeconds(30))).isEqualTo("hello");
    assertThat(inbox.kinds(run.id())).isEqualTo("created leased succeeded");
  }

  @Test
  void aRunIsGoneWithTheTransaction() throws SQLException {
    order("two");
    RunHandle<String> run = pawl.start(connection, ECHO, "hello", o -> o.key("k"));
    connection.rollback();

    assertThat(pawl.find(run.id())).isEmpty();
    assertThat(inbox.log(run.id())).isEmpty();
    assertThat(pawl.findByKey("k")).isEmpty();
    assertThat(inbox.ask("select * from orders")).isEmpty();
  }

  @Test
  void everyOptionIsKept() throws SQLException {
    RunHandle<String> run =
        pawl.start(
            connection,
            ECHO,
            "hello",
            o ->
                o.key("k")
                    .priority(7)
                    .delay(ofHours(1))
                    .maxAttempts(9)
                    .maxDuration(ofHours(2))
                    .ttl(ofHours(3))
                    .tag("who", "me"));
    connection.commit();

    Run found = run.run();
    assertThat(found.key()).contains("k");
    assertThat(found.priority()).isEqualTo(7);
    assertThat(found.maxAttempts()).isEqualTo(9);
    assertThat(found.due()).contains(found.createdAt().plus(ofHours(1)));
    assertThat(found.deadline()).contains(found.createdAt().plus(ofHours(2)));
    assertThat(found.ttl()).contains(ofHours(3));
    assertThat(found.tags()).isEqualTo(Map.of("who", "me"));
  }

  @Test
  void aSecondStartWithTheKeyFindsTheFirst() throws SQLException {
    RunHandle<String> first = pawl.start(connection, ECHO, "a", o -> o.key("k"));
    RunHandle<String> second = pawl.start(connection, ECHO, "b", o -> o.key("k"));
    connection.commit();

    assertThat(first.isNew()).isTrue();
    assertThat(second.isNew()).isFalse();
    assertThat(second.id()).isEqualTo(first.id());
    assertThatThrownBy(
            () -> pawl.start(connection, ECHO, "c", o -> o.key("k").ifExists(IfExists.REJECT)))
        .hasMessageContaining("a run with key 'k' is there already");
  }

  @Test
  void aStepsTransactionMayStartARunToo() {
    Flow<String, String> flow =
        Flow.define(
            "buyer.v1",
            String.class,
            String.class,
            (ctx, in) ->
                ctx.transaction(
                    "buy",
                    Connection.class,
                    String.class,
                    given -> pawl.start(given, ECHO, in).id().toString()));
    pawl.register(flow);
    pawl.work();

    String started = pawl.start(flow, "hello").result(ofSeconds(30));

    assertThat(inbox.ask("select type from workflow.workflow_run where id = '" + started + "'"))
        .containsExactly("echo.v1");
    assertThat(pawl.handle(RunId.parse(started), JsonType.of(String.class)).result(ofSeconds(30)))
        .isEqualTo("hello");
  }

  @Test
  void aConnectionThatCommitsByItselfIsRefused() throws SQLException {
    connection.setAutoCommit(true);

    assertThatThrownBy(() -> pawl.start(connection, ECHO, "hello"))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("it commits by itself; call setAutoCommit(false) first");
  }

  @Test
  void aConnectionToAnotherStoreIsRefused() throws SQLException {
    String other = PostgresServer.shared().database();
    Pawl.open(other).close();
    try (Connection wrong = PostgresServer.connect(other)) {
      wrong.setAutoCommit(false);
      assertThatThrownBy(() -> pawl.start(wrong, ECHO, "hello"))
          .isInstanceOf(PawlException.class)
          .hasMessageContaining("use a connection to the same database");
    }
  }

  @Test
  void anythingButAConnectionIsRefused() {
    AutoCloseable other = () -> {};

    assertThatThrownBy(() -> pawl.start(other, ECHO, "hello"))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("this store works with java.sql.Connection");
  }
}
