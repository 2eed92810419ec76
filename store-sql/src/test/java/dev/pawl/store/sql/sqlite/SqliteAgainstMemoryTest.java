package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Entry;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.sql.MailRow;
import dev.pawl.store.sql.RunRow;
import dev.pawl.testkit.ManualClock;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Made-up command sequences against the oracle: the same outcomes, and the same rows, logs and
 * mailboxes.
 */
class SqliteAgainstMemoryTest {
  private static final int BATCHES = 600;

  /** How many entries at the end of a log are compared after each batch. */
  private static final int LATELY = 8;

  /** What must come up at least once for the comparison to mean anything. */
  private static final Set<String> EVERYTHING =
      Set.of(
          "Started",
          "AlreadyStarted",
          "Claimed",
          "Advanced",
          "Fenced",
          "Extended",
          "Sent",
          "Emitted",
          "CancelTaken",
          "Reopened",
          "Done",
          "Purged",
          "Missing",
          "Refused",
          "resumed",
          "retried",
          "crashed",
          "with signals",
          "with topics",
          "with children",
          "with a cancel");

  @TempDir Path directory;

  static LongStream seeds() {
    Long chosen = Long.getLong("pawl.seed");
    return chosen == null ? LongStream.rangeClosed(1, 3) : LongStream.of(chosen);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatTheMemoryStoreDoes(long seed) throws SQLException {
    compare(seed, 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoStoresOnOneFileTakeTurnsAndDoWhatTheMemoryStoreDoes(long seed) throws SQLException {
    compare(seed + 1000, 2);
  }

  private void compare(long seed, int instances) throws SQLException {
    ManualClock clock = new ManualClock();
    SplittableRandom random = new SplittableRandom(seed);
    RandomCommands commands = new RandomCommands(seed);
    Path file = directory.resolve("store-" + seed + ".db");
    SqliteOptions options =
        SqliteOptions.defaults().clock(clock).synchronous(SqliteOptions.Synchronous.NORMAL);
    try (MemoryStore memory = new MemoryStore(clock);
        Store first = SqliteStore.open(file, options);
        Store second = SqliteStore.open(file, options);
        Session rows = Session.open(file, Session.Role.READER, options)) {
      Map<RunId, Integer> known = new HashMap<>();
      Map<String, Integer> seen = new TreeMap<>();
      for (int i = 0; i < BATCHES; i++) {
        List<Command> batch = commands.batch(clock.instant());
        Store writing = random.nextInt(instances) == 0 ? first : second;
        List<Outcome> expected = memory.commit(batch);
        List<Outcome> actual = writing.commit(batch);
        for (int c = 0; c < batch.size(); c++) {
          Command command = batch.get(c);
          String place = "seed " + seed + ", batch " + i + ", command " + c + ": ";
          compare(() -> place + command, expected.get(c), actual.get(c));
          count(actual.get(c), seen);
        }
        commands.learn(batch, actual);
        String place = "seed " + seed + ", after batch " + i + ": ";
        Supplier<String> at = () -> place + batch;
        Set<RunId> touched = touched(batch, memory, commands.runs(), known);
        compareRows(at, memory, rows, touched, LATELY);
        if (i == BATCHES / 2) {
          compareRows(at, memory, rows, known.keySet(), Integer.MAX_VALUE);
        }
        if (i % 25 == 24) {
          compareViews(at, memory, first, commands, random);
        }
        clock.advance(
            Duration.ofMillis(
                random.nextInt(12) == 0 ? random.nextInt(60_000) : random.nextInt(3000)));
      }
      compareRows(() -> "seed " + seed, memory, rows, known.keySet(), Integer.MAX_VALUE);
      assertThat(seen.keySet()).as("what came up: %s", seen).containsAll(EVERYTHING);
    }
  }

  private static void count(Outcome outcome, Map<String, Integer> seen) {
    seen.merge(outcome.getClass().getSimpleName(), 1, Integer::sum);
    if (outcome instanceof Outcome.Claimed claimed) {
      for (Activation activation : claimed.activations()) {
        seen.merge(activation.run().resumed() ? "resumed" : "begun", 1, Integer::sum);
        seen.merge(activation.run().attempt() > 1 ? "retried" : "first", 1, Integer::sum);
        seen.merge(activation.run().crashes() > 0 ? "crashed" : "unharmed", 1, Integer::sum);
        for (Mail mail : activation.mail()) {
          String kind =
              switch (mail) {
                case Mail.Signal signal -> "with signals";
                case Mail.Topic topic -> "with topics";
                case Mail.ChildOutcome child -> "with children";
                case Mail.Cancel cancel -> "with a cancel";
              };
          seen.merge(kind, 1, Integer::sum);
        }
      }
    }
  }

  private static void compare(Supplier<String> at, Outcome expected, Outcome actual) {
    if (expected instanceof Outcome.Claimed wanted && actual instanceof Outcome.Claimed got) {
      assertThat(got.activations()).as(at).isEqualTo(wanted.activations());
      // The memory store overlooks queues that came into being during the claim: it may know of
      // less.
      wanted
          .nextDue()
          .ifPresent(due -> assertThat(got.nextDue().orElseThrow()).as(at).isBeforeOrEqualTo(due));
    } else {
      assertThat(actual).as(at).isEqualTo(expected);
    }
  }

  /** The runs that the batch advanced, and those whose rows have changed in the oracle. */
  private static Set<RunId> touched(
      List<Command> batch, Store memory, List<RunId> runs, Map<RunId, Integer> known) {
    Set<RunId> touched = new HashSet<>();
    for (Command command : batch) {
      if (command instanceof Command.Advance advance) {
        touched.add(advance.run());
      }
    }
    for (RunId id : runs) {
      int version = memory.run(id).map(System::identityHashCode).orElse(0);
      if (!Objects.equals(known.put(id, version), version)) {
        touched.add(id);
      }
    }
    return touched;
  }

  private static void compareRows(
      Supplier<String> at, Store memory, Session sqlite, Iterable<RunId> ids, int entries)
      throws SQLException {
    for (RunId id : ids) {
      assertThat(sqlite.sql("run-by-id").with(id.uuid()).first(RunRow::read))
          .as(at)
          .isEqualTo(memory.run(id));
      List<Entry> log = memory.log(id, 0, Integer.MAX_VALUE);
      int after = Math.max(0, log.size() - entries);
      assertThat(sqlite.sql("log").with(id.uuid()).with(after).with(-1).all(MailRow::readEntry))
          .as(at)
          .isEqualTo(log.subList(after, log.size()));
      assertThat(sqlite.sql("mailbox-of").with(id.uuid()).all(MailRow::read))
          .as(at)
          .isEqualTo(memory.mail(id));
    }
  }

  private static void compareViews(
      Supplier<String> at,
      Store memory,
      Store sqlite,
      RandomCommands commands,
      SplittableRandom random) {
    assertThat(sqlite.counts()).as(at).isEqualTo(memory.counts());
    assertThat(sqlite.types()).as(at).isEqualTo(memory.types());
    for (RunId id : commands.runs().subList(0, 5)) {
      assertThat(sqlite.run(id)).as(at).isEqualTo(memory.run(id));
      assertThat(sqlite.log(id, 2, 3)).as(at).isEqualTo(memory.log(id, 2, 3));
      assertThat(sqlite.mail(id)).as(at).isEqualTo(memory.mail(id));
    }
    List<UUID> messages = commands.messages();
    for (UUID message : messages.subList(Math.max(0, messages.size() - 12), messages.size())) {
      assertThat(sqlite.emitted(message)).as(at).isEqualTo(memory.emitted(message));
    }
    for (int i = 0; i < 4; i++) {
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
