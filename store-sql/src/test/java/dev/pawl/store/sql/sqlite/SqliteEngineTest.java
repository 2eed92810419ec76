package dev.pawl.store.sql.sqlite;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.Invariants;
import dev.pawl.testkit.MortalStore;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The engine on SQLite: above all, steps that write to the user's own tables. */
@Timeout(120)
class SqliteEngineTest {
  private static final Duration SOON = ofSeconds(30);
  private static final String TYPE = "sqlite.flow.v1";

  @TempDir Path directory;
  private int files;

  private Path file() {
    return directory.resolve("store-" + files + ".db");
  }

  /** Opens a new file that has a table of the user's own beside the store's. */
  private SqliteStore open(InstantSource clock) {
    files++;
    SqliteStore store = SqliteStore.open(file(), SqliteOptions.defaults().clock(clock));
    sql("CREATE TABLE account (name TEXT, amount INTEGER)");
    return store;
  }

  private void sql(String text) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static int book(Connection connection, String name, int amount) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO account VALUES (?, ?)")) {
      insert.setString(1, name);
      insert.setInt(2, amount);
      return insert.executeUpdate() * amount;
    }
  }

  private List<String> accounts() {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        var found =
            connection
                .createStatement()
                .executeQuery("SELECT name, amount FROM account ORDER BY rowid")) {
      while (found.next()) {
        rows.add(found.getString(1) + "=" + found.getInt(2));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  @Nested
  class WhileNobodyDies {
    private SqliteStore store;
    private Pawl pawl;

    @BeforeEach
    void open() {
      store = SqliteEngineTest.this.open(InstantSource.system());
      pawl = Pawl.open(store);
    }

    @AfterEach
    void close() {
      pawl.close();
    }

    private RunHandle<String> run(Flow.Code<String, String> code) {
      Flow<String, String> flow = Flow.define(TYPE, String.class, String.class, code);
      pawl.register(flow).work(w -> w.drain(ofMillis(100)));
      return pawl.start(flow, "in");
    }

    private List<Event> events(RunHandle<?> run) {
      return store.log(run.id(), 0, 1000).stream().map(Entry::event).toList();
    }

    @Test
    void theWritesOfATransactionAreCommittedWithItsStep() {
      RunHandle<String> run =
          run((ctx, in) -> {
            ctx.step("before", () -> {});
            Integer a = ctx.transaction("a", Connection.class, Integer.class, c -> book(c, "a", 5));
            ctx.sleep(ofMillis(5));
            Integer b = ctx.transaction("b", Connection.class, Integer.class, c -> book(c, "b", 7));
            return a + "," + b;
          });
      assertThat(run.result(SOON)).isEqualTo("5,7");
      assertThat(accounts()).containsExactly("a=5", "b=7");
      assertThat(events(run).stream().filter(Event.StepCompleted.class::isInstance)).hasSize(3);
      Invariants.check(store, run.id());
    }

    @Test
    void aTransactionThatThrowsIsUndoneAndTriedAgain() {
      AtomicInteger tries = new AtomicInteger();
      RunHandle<String> run =
          run((ctx, in) ->
              ctx.transaction(
                  "pay",
                  Connection.class,
                  String.class,
                  c -> {
                    book(c, "try", tries.incrementAndGet());
                    if (tries.get() < 3) {
                      throw new IllegalStateException("try " + tries.get());
                    }
                    return "paid";
                  }));
      assertThat(run.result(SOON)).isEqualTo("paid");
      assertThat(accounts()).containsExactly("try=3");
      assertThat(events(run).stream().filter(Event.StepFailed.class::isInstance)).hasSize(2);
      Invariants.check(store, run.id());
    }

    @Test
    void aTransactionThatKeepsThrowingFailsTheStepAndLeavesNothing() {
      RunHandle<String> run =
          run((ctx, in) -> {
            try {
              ctx.transaction(
                  "pay",
                  Connection.class,
                  String.class,
                  c -> {
                    book(c, "never", 1);
                    throw FailedException.permanent("NO", "no");
                  });
              return "?";
            } catch (FailedException e) {
              return e.failure().code();
            }
          });
      assertThat(run.result(SOON)).isEqualTo("NO");
      assertThat(accounts()).isEmpty();
    }

    @Test
    void stepsThatEndDuringATransactionKeepTheirPlaces() {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(4);
      RunHandle<String> run =
          run((ctx, in) -> {
            List<Promise<String>> side = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              String name = "side" + i;
              side.add(
                  ctx.stepAsync(
                      name,
                      String.class,
                      () -> {
                        inside.await();
                        ended.countDown();
                        return name;
                      }));
            }
            Integer a =
                ctx.transaction(
                    "a",
                    Connection.class,
                    Integer.class,
                    c -> {
                      inside.countDown();
                      Await.open("the steps have ended", ended);
                      return book(c, "a", 1);
                    });
            return a + ctx.<String>all(side).await().toString();
          });
      assertThat(run.result(SOON)).isEqualTo("1[side0, side1, side2, side3]");
      assertThat(accounts()).containsExactly("a=1");
      assertThat(events(run).stream().filter(Event.Leased.class::isInstance))
          .as("the turn was not lost")
          .hasSize(1);
      Invariants.check(store, run.id());
    }

    @Test
    void theEngineRefusesToBeCalledFromWithinATransaction() {
      Task<String, String> echo = Task.of("sqlite.echo.v1", String.class, String.class, s -> s);
      RunHandle<String> run =
          run((ctx, in) ->
              ctx.transaction(
                  "bad",
                  Connection.class,
                  String.class,
                  c -> {
                    book(c, "never", 1);
                    try {
                      pawl.start(echo, "x");
                    } catch (PawlException e) {
                      throw FailedException.permanent("REFUSED", e.getMessage());
                    }
                    return "?";
                  }));
      assertThatThrownBy(() -> run.result(SOON)).hasMessageContaining("within a transaction");
      assertThat(accounts()).isEmpty();
    }

    @Test
    void anUnknownOutcomeOfATransactionIsReadBack() {
      pawl.close();
      SqliteStore real = SqliteEngineTest.this.open(InstantSource.system());
      FaultyStore faulty = new FaultyStore(real);
      pawl = Pawl.open(faulty);
      store = real;
      AtomicInteger bodies = new AtomicInteger();
      RunHandle<String> run =
          run((ctx, in) -> {
            ctx.step("ready", () -> {});
            faulty.pass(1).loseNextAnswer();
            Integer a =
                ctx.transaction(
                    "a",
                    Connection.class,
                    Integer.class,
                    c -> book(c, "a", bodies.incrementAndGet()));
            faulty.loseNext();
            Integer b =
                ctx.transaction(
                    "b",
                    Connection.class,
                    Integer.class,
                    c -> book(c, "b", bodies.incrementAndGet()));
            return a + "," + b;
          });
      assertThat(run.result(SOON)).isEqualTo("1,2");
      assertThat(accounts()).containsExactly("a=1", "b=2");
      Invariants.check(store, run.id());
    }

    @Test
    void timesSurviveTheFileAndNothingFiresEarly() {
      RunHandle<String> run =
          run((ctx, in) -> {
            for (int i = 0; i < 5; i++) {
              ctx.sleep(Duration.ofNanos(2_000_001));
            }
            return ctx.step(
                "flaky",
                String.class,
                Retry.fixed(2, ofMillis(1)),
                s -> {
                  if (s.attempt() == 1) {
                    throw new IllegalStateException("once");
                  }
                  return "ok";
                });
          });
      assertThat(run.result(SOON)).isEqualTo("ok");
      Instant due = Instant.MIN;
      for (Entry entry : store.log(run.id(), 0, 1000)) {
        if (entry.event() instanceof Event.Suspended suspended) {
          due = suspended.until().orElseThrow();
        } else if (entry.event() instanceof Event.TimerFired) {
          assertThat(entry.at()).isAfterOrEqualTo(due);
        }
      }
    }
  }

  /** A flow with a transaction, a step, a child and a wait. */
  private final class BankStory implements CrashSweep.Story {
    private final Task<Integer, Integer> twice =
        Task.of("sqlite.twice.v1", Integer.class, Integer.class, n -> 2 * n)
            .retry(Retry.fixed(100, ofMillis(1)));
    private final Flow<String, String> flow =
        Flow.define(
            TYPE,
            String.class,
            String.class,
            (ctx, in) -> {
              String first = ctx.step("first", String.class, () -> "1st");
              Integer debit =
                  ctx.transaction(
                      "debit", Connection.class, Integer.class, c -> book(c, "from", -10));
              ctx.sleep(ofMinutes(10));
              Integer doubled = ctx.call(twice, 4);
              Integer credit =
                  ctx.transaction(
                      "credit", Connection.class, Integer.class, c -> book(c, "to", 10));
              String signal = ctx.awaitSignal("go", String.class);
              return String.join(",", first, "" + debit, "" + doubled, "" + credit, signal);
            });

    @Override
    public void register(Pawl process) {
      process.register(flow).register(twice);
    }

    @Override
    public RunId begin(Pawl outside) {
      RunId run = outside.start(flow, "in", o -> o.maxAttempts(100)).id();
      outside.signal(run, "go", "go");
      return run;
    }

    @Override
    public void check(Pawl outside, Run run) {
      assertThat(run.status()).isEqualTo(Status.SUCCEEDED);
      assertThat(run.result()).contains(Json.string("1st,-10,8,10,go"));
      assertThat(accounts()).as("exactly once").containsExactly("from=-10", "to=10");
    }
  }

  @Test
  void transactionsHappenExactlyOnceWheneverTheProcessIsKilled() {
    CrashSweep sweep = new CrashSweep(this::open);
    assertThat(sweep.killAtEveryCheckpoint(new BankStory())).isGreaterThan(6);
  }

  @Test
  void transactionsHappenExactlyOnceThoughEveryProcessDies() {
    CrashSweep sweep = new CrashSweep(this::open);
    assertThat(sweep.killAfterEvery(1, new BankStory())).isGreaterThan(2);
  }

  @Test
  void twoEnginesOnOneFileShareTheWork() {
    AtomicInteger bodies = new AtomicInteger();
    Task<Integer, Integer> task =
        Task.of(
            "sqlite.shared.v1",
            Integer.class,
            Integer.class,
            n -> {
              bodies.incrementAndGet();
              return n;
            });
    try (SqliteStore one = open(InstantSource.system());
        SqliteStore two = SqliteStore.open(file(), SqliteOptions.defaults())) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        numbers.add(i);
      }
      try (Pawl first = Pawl.open(new MortalStore(one));
          Pawl second = Pawl.open(new MortalStore(two))) {
        first.register(task).work(w -> w.concurrency(4));
        second.register(task).work(w -> w.concurrency(4));
        List<RunHandle<Integer>> runs = first.startAll(task, numbers);
        for (int i = 0; i < runs.size(); i++) {
          assertThat(second.handle(runs.get(i).id()).result(SOON)).isEqualTo(Json.number(i));
        }
      }
    }
    assertThat(bodies).hasValue(300);
  }
}
