package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Violation;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresNode;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.work.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was acknowledged is finished, while worker processes and the server itself keep dying; and
 * nothing is done twice under one lease.
 */
@Timeout(600)
class PostgresChaosTest {
  private static final int TASKS = 20_000;
  private static final int CHUNK = 200;
  private static final int WORKERS = 4;

  /**
   * On a machine so slow that workers are killed before they get anywhere, it ends all the same.
   */
  private static final int MOST_KILLS = 25;

  private static final Task<Integer, Integer> EFFECT =
      Task.of(
          EffectWorker.TYPE,
          Integer.class,
          Integer.class,
          number -> {
            throw new IllegalStateException("only the worker processes do this");
          });

  @TempDir Path directory;

  @Test
  void everythingFinishesWhileWorkersAndTheServerDie() throws Exception {
    Path ledger = directory.resolve("ledger");
    try (PostgresNode server = PostgresNode.create(directory.resolve("data"))) {
      PostgresServer.execute(server.url("postgres"), "CREATE DATABASE chaos");
      String url = server.url("chaos");
      try (Pawl producer = Pawl.open(url);
          Killer killer = new Killer(url, ledger)) {
        CompletableFuture<Set<RunId>> accepted =
            CompletableFuture.supplyAsync(() -> produce(producer));
        awaitEffects(ledger, TASKS / 5);
        restart(server);
        awaitEffects(ledger, TASKS / 2);
        restart(server);
        Set<RunId> acknowledged = accepted.get(5, TimeUnit.MINUTES);
        Await.until("every task has ended", Duration.ofMinutes(4), () -> unfinished(producer) == 0);
        killer.stop();

        assertThat(acknowledged).hasSize(TASKS);
        assertThat(killer.kills()).as("kills").isGreaterThanOrEqualTo(2);
        check(producer, acknowledged, Files.readAllLines(ledger));
        System.out.printf(
            "%d tasks, %d kills, 2 immediate restarts: %d effects, all recorded once%n",
            TASKS, killer.kills(), Files.readAllLines(ledger).size());
      }
    }
  }

  private static void check(Pawl pawl, Set<RunId> acknowledged, List<String> effects) {
    for (RunId run : acknowledged) {
      assertThat(pawl.get(run).status()).as(run.toString()).isEqualTo(Status.SUCCEEDED);
    }
    assertThat(new HashSet<>(effects)).as("one effect per lease").hasSameSizeAs(effects);
    assertThat(effects.stream().map(line -> line.substring(0, line.indexOf(' '))).distinct())
        .as("the runs with an effect")
        .hasSize(TASKS);
    List<Violation> found = new ArrayList<>();
    Doctor.check(pawl.store(), found::add);
    assertThat(found).isEmpty();
  }

  /** Starts all tasks, each chunk again and again until it is acknowledged. */
  private static Set<RunId> produce(Pawl producer) {
    Set<RunId> acknowledged = new HashSet<>();
    for (int first = 0; first < TASKS; first += CHUNK) {
      List<Integer> chunk = IntStream.range(first, first + CHUNK).boxed().toList();
      startAll(producer, chunk).forEach(run -> acknowledged.add(run.id()));
    }
    return acknowledged;
  }

  private static List<RunHandle<Integer>> startAll(Pawl producer, List<Integer> chunk) {
    while (true) {
      try {
        return producer.startAll(
            EFFECT, chunk, (number, options) -> options.key("task-" + number).maxAttempts(1000));
      } catch (PawlException unavailable) {
        // The server is down: the same keys again, until it answers.
      }
    }
  }

  private static void restart(PostgresNode server) {
    server.stop("immediate");
    server.start();
  }

  private static void awaitEffects(Path ledger, int count) {
    Await.until(
        count + " effects",
        Duration.ofMinutes(4),
        () -> {
          try {
            return Files.exists(ledger) && Files.readAllLines(ledger).size() >= count;
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  private static long unfinished(Pawl pawl) {
    try {
      return pawl.counts().stream()
          .filter(count -> !count.status().isTerminal())
          .mapToLong(Count::runs)
          .sum();
    } catch (PawlException unavailable) {
      return -1;
    }
  }

  /** Keeps so many workers alive, and kills one of them every two seconds. */
  private static final class Killer implements AutoCloseable {
    private final List<EffectWorker> workers = new ArrayList<>();
    private final Random chance = new Random();
    private final AtomicInteger kills = new AtomicInteger();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    Killer(String url, Path ledger) {
      for (int i = 0; i < WORKERS; i++) {
        workers.add(EffectWorker.start(url, ledger));
      }
      thread.scheduleWithFixedDelay(
          () -> {
            if (kills.get() == MOST_KILLS) {
              return;
            }
            int victim = chance.nextInt(WORKERS);
            workers.get(victim).kill();
            kills.incrementAndGet();
            workers.set(victim, EffectWorker.start(url, ledger));
          },
          2,
          2,
          TimeUnit.SECONDS);
    }

    int kills() {
      return kills.get();
    }

    void stop() {
      thread.close();
      workers.forEach(EffectWorker::close);
    }

    @Override
    public void close() {
      stop();
    }
  }
}
