package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.Turn;
import dev.pawl.work.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What many workers cost that have nothing to do, and how soon they have. */
@Timeout(180)
class IdleFleetTest {
  private static final int WORKERS = 50;
  private static final int WINDOW_SECONDS = 5;
  private static final long MOST = 100L * WINDOW_SECONDS;

  /** A connection that falls idle reports what it did before up to ten seconds later. */
  private static final int LATE_WINDOWS = 2;

  /** As many looks in vain as it takes for a worker to rest as long as it ever does. */
  private static final int LOOKS = 8;

  private static final Task<String, String> GREET =
      Task.of("greet.v1", String.class, String.class, in -> "hello " + in);

  private final String url = PostgresServer.shared().database();
  private final List<Pawl> fleet = new CopyOnWriteArrayList<>();
  private final List<Looking> stores = new CopyOnWriteArrayList<>();

  /** Counts how often its worker has looked for work. */
  private static final class Looking extends ForwardingStore {
    private final AtomicInteger looks = new AtomicInteger();

    Looking(String url) {
      super(PostgresStore.open(url, PostgresOptions.defaults().lanes(1)));
    }

    @Override
    public List<Outcome> commit(List<Command> commands) {
      List<Outcome> outcomes = super.commit(commands);
      looks.addAndGet((int) commands.stream().filter(Command.Claim.class::isInstance).count());
      return outcomes;
    }
  }

  /** Makes workers look for new definitions too, as {@code pawl work} does. */
  private static final class Nothing implements DefinedProgram {
    @Override
    public String kind() {
      return "nothing";
    }

    @Override
    public Retry retry() {
      return Retry.none();
    }

    @Override
    public Event.TurnEnd run(Turn turn, Definition definition) {
      throw new IllegalStateException("there is no such definition");
    }
  }

  @AfterEach
  void close() {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      fleet.forEach(pawl -> threads.execute(pawl::close));
    }
  }

  private void work(int workers, String address, Duration poll) {
    PostgresStore.open(url, PostgresOptions.defaults()).close();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < workers; i++) {
        threads.execute(() -> work(address, poll));
      }
    }
    assertThat(fleet).hasSize(workers);
  }

  private void work(String address, Duration poll) {
    Looking store = new Looking(address);
    stores.add(store);
    Pawl pawl = Pawl.open(store).register(GREET).register(new Nothing());
    fleet.add(pawl);
    pawl.work(w -> w.concurrency(2).poll(poll));
  }

  private void awaitRest() {
    Await.until(
        "all have looked in vain a few times",
        Duration.ofSeconds(60),
        () -> stores.stream().allMatch(store -> store.looks.get() >= LOOKS));
  }

  /** How many statements the database has carried out: each of an idle worker is a transaction. */
  private long transactions() {
    return Long.parseLong(
        PostgresServer.query(
                PostgresServer.shared().url("postgres"),
                "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '"
                    + url.substring(url.lastIndexOf('/') + 1)
                    + "'")
            .getFirst());
  }

  private long asked() throws InterruptedException {
    long before = transactions();
    new CountDownLatch(1).await(WINDOW_SECONDS, TimeUnit.SECONDS);
    long asked = transactions() - before;
    System.out.printf("%d idle workers: %d queries in %d s%n", WORKERS, asked, WINDOW_SECONDS);
    return asked;
  }

  @Test
  void fiftyIdleWorkersAskLittleAndAreThereAtOnce() throws InterruptedException {
    work(WORKERS, url, WorkerOptions.defaults().poll());
    awaitRest();

    long asked = asked();
    for (int late = 0; late < LATE_WINDOWS && asked > MOST; late++) {
      asked = asked();
    }
    assertThat(asked).isBetween(1L, MOST);
    try (Pawl producer = Pawl.open(url)) {
      RunHandle<String> run = producer.start(GREET, "you");
      assertThat(run.result(Duration.ofSeconds(30))).isEqualTo("hello you");
    }
  }

  @Test
  void withoutHintsARestingWorkerFindsWorkByItself() {
    work(1, url + "?hints=off", Duration.ofMillis(500));
    awaitRest();
    try (Pawl producer = Pawl.open(url + "?hints=off")) {
      assertThat(producer.start(GREET, "you").result(Duration.ofSeconds(30)))
          .isEqualTo("hello you");
    }
  }
}
