package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Made-up command sequences against the oracle: the same outcomes, and the same rows, logs and mailboxes. */
class SqliteAgainstMemoryTest {
  private static final int BATCHES = 500;

  @TempDir Path directory;

  static LongStream seeds() {
    Long chosen = Long.getLong("pawl.seed");
    return chosen == null ? LongStream.rangeClosed(1, 8) : LongStream.of(chosen);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatTheMemoryStoreDoes(long seed) {
    compare(seed, 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoStoresOnOneFileTakeTurnsAndDoWhatTheMemoryStoreDoes(long seed) {
    compare(seed + 1000, 2);
  }

  private void compare(long seed, int instances) {
    ManualClock clock = new ManualClock();
    SplittableRandom random = new SplittableRandom(seed);
    RandomCommands commands = new RandomCommands(seed);
    Path file = directory.resolve("store-" + seed + ".db");
    SqliteOptions options = SqliteOptions.defaults().clock(clock).synchronous(SqliteOptions.Synchronous.NORMAL);
    try (MemoryStore memory = new MemoryStore(clock);
        Store first = SqliteStore.open(file, options);
        Store second = SqliteStore.open(file, options)) {
      Map<RunId, Optional<Run>> known = new HashMap<>();
      for (int i = 0; i < BATCHES; i++) {
        List<Command> batch = commands.batch(clock.instant());
        Store writing = random.nextInt(instances) == 0 ? first : second;
        List<Outcome> expected = memory.commit(batch);
        List<Outcome> actual = writing.commit(batch);
        for (int c = 0; c < batch.size(); c++) {
          String at = "seed %d, batch %d, command %d of %d: %s".formatted(seed, i, c, batch.size(), batch.get(c));
          compare(at, expected.get(c), actual.get(c));
        }
        commands.learn(batch, actual);
        String at = "seed %d, after batch %d: %s".formatted(seed, i, batch);
        Set<RunId> touched = touched(batch, memory, commands.runs(), known);
        boolean all = i % 100 == 99;
        compareRuns(at, memory, random.nextBoolean() ? first : second, all ? known.keySet() : touched);
        if (i % 25 == 24) {
          compareViews(at, memory, first, commands, random);
        }
        clock.advance(Duration.ofMillis(random.nextInt(12) == 0 ? random.nextInt(60_000) : random.nextInt(3000)));
      }
    }
  }

  private static void compare(String at, Outcome expected, Outcome actual) {
    if (expected instanceof Outcome.Claimed wanted && actual instanceof Outcome.Claimed got) {
      assertThat(got.activations()).as(at).isEqualTo(wanted.activations());
      // The memory store overlooks queues that came into being during the claim: it may know of less.
      wanted.nextDue().ifPresent(due -> assertThat(got.nextDue().orElseThrow()).as(at).isBeforeOrEqualTo(due));
    } else {
      assertThat(actual).as(at).isEqualTo(expected);
    }
  }

  /** The runs that the batch advanced, and those whose rows have changed in the oracle. */
  private static Set<RunId> touched(
      List<Command> batch, Store memory, List<RunId> runs, Map<RunId, Optional<Run>> known) {
    Set<RunId> touched = new HashSet<>();
    for (Command command : batch) {
      if (command instanceof Command.Advance advance) {
        touched.add(advance.run());
      }
    }
    for (RunId id : runs) {
      Optional<Run> run = memory.run(id);
      if (!run.equals(known.put(id, run))) {
        touched.add(id);
      }
    }
    return touched;
  }

  private static void compareRuns(String at, Store memory, Store sqlite, Iterable<RunId> ids) {
    for (RunId id : ids) {
      Optional<Run> expected = memory.run(id);
      assertThat(sqlite.run(id)).as(at).isEqualTo(expected);
      assertThat(sqlite.log(id, 0, 10_000)).as(at).isEqualTo(memory.log(id, 0, 10_000));
      assertThat(sqlite.mail(id)).as(at).isEqualTo(memory.mail(id));
    }
  }

  private static void compareViews(
      String at, Store memory, Store sqlite, RandomCommands commands, SplittableRandom random) {
    assertThat(sqlite.counts()).as(at).isEqualTo(memory.counts());
    assertThat(sqlite.types()).as(at).isEqualTo(memory.types());
    for (var message : commands.messages()) {
      assertThat(sqlite.emitted(message)).as(at).isEqualTo(memory.emitted(message));
    }
    for (int i = 0; i < 30; i++) {
      assertThat(sqlite.runByKey("key" + i)).as(at).isEqualTo(memory.runByKey("key" + i));
    }
    List<RunId> runs = commands.runs();
    RunId some = runs.get(random.nextInt(runs.size()));
    for (Query query :
        List.of(
            Query.all(),
            Query.all().withLimit(3).withAfter(some),
            Query.all().withStatus(Status.FAILED, Status.CANCELLED).withLimit(7).withAfter(some),
            Query.all().withStatus(Status.FAILED),
            Query.all().withStatus(Status.PENDING, Status.FAILED).withType("a.%"),
            Query.all().withType("a.ü😀"),
            Query.all().withType("%").withWorker("worker-1"),
            Query.all().withParent(some),
            Query.all().withParent(some).withType("b.%").withStatus(Status.SUCCEEDED))) {
      assertThat(sqlite.list(query)).as(at).isEqualTo(memory.list(query));
    }
  }
}
