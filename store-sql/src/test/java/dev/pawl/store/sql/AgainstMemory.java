package dev.pawl.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
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
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Made-up command sequences against the oracle: the same outcomes, and the same rows, logs and
 * mailboxes. Only the ids of messages are each store's own affair; they must grow.
 */
public final class AgainstMemory {
  /** How many entries at the end of a log are compared after each batch. */
  private static final int LATELY = 8;

  private static final int SMALL_BATCHES = 12;

  /** Longer than any log. */
  private static final int LONG = 1_000_000;

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
          "expired",
          "Missing",
          "Refused",
          "resumed",
          "retried",
          "crashed",
          "with signals",
          "with topics",
          "with children",
          "with a cancel");

  /** A message by the store's own number. */
  private record Letter(RunId run, long id) {}

  private final long seed;
  private final ManualClock clock;
  private final SplittableRandom random;
  private final RandomCommands commands;
  private final MemoryStore memory;
  private final Map<Letter, Long> letters = new HashMap<>();
  private final Map<RunId, Integer> known = new HashMap<>();
  private final Map<String, Integer> seen = new TreeMap<>();

  /** How far the log of each run was compared. */
  private final Map<RunId, Long> places = new HashMap<>();

  public AgainstMemory(long seed, ManualClock clock) {
    this(seed, clock, SMALL_BATCHES);
  }

  public AgainstMemory(long seed, ManualClock clock, int maxBatch) {
    this.seed = seed;
    this.clock = clock;
    this.random = new SplittableRandom(seed);
    this.commands = new RandomCommands(seed, maxBatch);
    this.memory = new MemoryStore(clock);
  }

  /** The seeds to try closely; {@code -Dpawl.seed=17} chooses one. */
  public static LongStream seeds() {
    return LongStream.of(Long.getLong("pawl.seed", 1));
  }

  /** Gives every batch to the oracle and to one of the stores, which share their data. */
  public void compare(List<Store> stores, int batches) {
    for (int i = 0; i < batches; i++) {
      Store writing = stores.get(random.nextInt(stores.size()));
      Store reading = stores.get(0);
      List<Command> batch = commit(writing, i);
      String place = "seed " + seed + ", after batch " + i + ": ";
      Supplier<String> at = () -> place + batch;
      compareRows(at, reading, touched(batch, memory, commands.runs(), known), LATELY);
      if (i == batches / 2) {
        compareRows(at, reading, known.keySet(), Integer.MAX_VALUE);
      }
      if (i % 25 == 24) {
        compareViews(at, reading);
      }
      passTime();
    }
    compareRows(() -> "seed " + seed, stores.get(0), known.keySet(), Integer.MAX_VALUE);
    checkVariety(seen);
  }

  /**
   * Gives every batch to the oracle and to a store, and compares after each of them: every outcome,
   * every row, and of the runs it touched what is new in the log and the whole mailbox; the types
   * if it configured one. In the end whole logs too, and views. Returns how many commands there
   * were, and adds to {@code variety} what came of them.
   */
  public long compareAtLength(Store store, int batches, Map<String, Integer> variety) {
    long count = 0;
    for (int i = 0; i < batches; i++) {
      List<Command> batch = commit(store, i);
      count += batch.size();
      String place = "seed " + seed + ", after batch " + i + ": ";
      Supplier<String> at = () -> place + batch;
      Query everything = Query.all().withLimit(Query.MAX_LIMIT);
      compareWhole(at, memory.list(everything), store.list(everything));
      for (RunId id : touched(batch, memory, commands.runs(), known)) {
        compareTail(at, store, id);
        // Nothing is in the mailbox of a run that was never sent anything: its row says so.
        if (memory.run(id).filter(run -> run.wakes() > 0).isPresent()) {
          compareMail(at, memory.mail(id), store.mail(id));
        }
      }
      if (batch.stream().anyMatch(Command.Configure.class::isInstance)) {
        compareWhole(at, memory.types(), store.types());
      }
      passTime();
    }
    Supplier<String> at = () -> "seed " + seed + ", in the end";
    compareWhole(at, memory.logs(known.keySet(), LONG), store.logs(known.keySet(), LONG));
    compareViews(at, store);
    seen.forEach((what, often) -> variety.merge(what, often, Integer::sum));
    return count;
  }

  /** Whether there was a bit of everything, without which a comparison means little. */
  public static void checkVariety(Map<String, Integer> seen) {
    assertThat(seen.keySet()).as("what came up: %s", seen).containsAll(EVERYTHING);
  }

  private List<Command> commit(Store writing, int number) {
    List<Command> batch = commands.batch(clock.instant());
    boolean purges = batch.stream().anyMatch(Command.Purge.class::isInstance);
    Set<RunId> expiring = purges ? expiring() : Set.of();
    List<Outcome> expected = memory.commit(batch.stream().map(this::forMemory).toList());
    List<Outcome> actual = commit(writing, number, batch);
    for (int c = 0; c < batch.size(); c++) {
      Command command = batch.get(c);
      String place = "seed " + seed + ", batch " + number + ", command " + c + ": ";
      compare(() -> place + command, expected.get(c), actual.get(c));
      count(actual.get(c), seen);
    }
    long expired = expiring.stream().filter(id -> memory.run(id).isEmpty()).count();
    if (expired > 0) {
      seen.merge("expired", (int) expired, Integer::sum);
    }
    commands.learn(batch, actual);
    return batch;
  }

  private List<Outcome> commit(Store writing, int number, List<Command> batch) {
    try {
      return writing.commit(batch);
    } catch (PawlException e) {
      throw new AssertionError("seed " + seed + ", batch " + number + ": " + batch, e);
    }
  }

  /** The runs whose time is over and which nobody has deleted. */
  private Set<RunId> expiring() {
    return memory.list(Query.all().withLimit(Query.MAX_LIMIT)).stream()
        .filter(run -> run.expiry().filter(at -> !at.isAfter(clock.instant())).isPresent())
        .map(Run::id)
        .collect(Collectors.toSet());
  }

  private void passTime() {
    clock.advance(
        Duration.ofMillis(random.nextInt(12) == 0 ? random.nextInt(60_000) : random.nextInt(3000)));
  }

  /** The same command with the oracle's numbers for messages. */
  private Command forMemory(Command command) {
    if (command instanceof Command.Advance advance && !advance.consumed().isEmpty()) {
      List<Long> consumed =
          advance.consumed().stream()
              .map(id -> letters.getOrDefault(new Letter(advance.run(), id), -1L))
              .toList();
      return advance.withConsumed(consumed);
    }
    return command;
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

  private void compare(Supplier<String> at, Outcome expected, Outcome actual) {
    if (expected instanceof Outcome.Claimed wanted && actual instanceof Outcome.Claimed got) {
      assertThat(got.activations()).as(at).hasSameSizeAs(wanted.activations());
      for (int i = 0; i < got.activations().size(); i++) {
        compare(at, wanted.activations().get(i), got.activations().get(i));
      }
      // The memory store overlooks queues that came into being during the claim: it may know of
      // less.
      wanted
          .nextDue()
          .ifPresent(due -> assertThat(got.nextDue().orElseThrow()).as(at).isBeforeOrEqualTo(due));
    } else {
      compareWhole(at, expected, actual);
    }
  }

  private void compare(Supplier<String> at, Activation expected, Activation actual) {
    compareMail(at, expected.mail(), actual.mail());
    for (int i = 0; i < actual.mail().size(); i++) {
      Mail mail = actual.mail().get(i);
      // The events of topics are not in the mailbox; their numbers are the same everywhere.
      if (!(mail instanceof Mail.Topic)) {
        letters.put(new Letter(actual.run().id(), mail.id()), expected.mail().get(i).id());
      }
    }
    assertThat(new Activation(actual.run(), actual.seq(), expected.mail(), actual.now()))
        .as(at)
        .isEqualTo(expected);
  }

  private static void compareWhole(Supplier<String> at, Object expected, Object actual) {
    // Most of the time they are equal, and an assertion that says so costs more than the look.
    if (!actual.equals(expected)) {
      assertThat(actual).as(at).isEqualTo(expected);
    }
  }

  private static void compareMail(Supplier<String> at, List<Mail> expected, List<Mail> actual) {
    if (expected.isEmpty() && actual.isEmpty()) {
      return;
    }
    assertThat(actual).as(at).hasSameSizeAs(expected);
    List<Mail> numbered = new ArrayList<>();
    for (int i = 0; i < actual.size(); i++) {
      numbered.add(numbered(actual.get(i), expected.get(i).id()));
    }
    assertThat(numbered).as(at).isEqualTo(expected);
    assertThat(actual.stream().filter(mail -> !(mail instanceof Mail.Topic)).map(Mail::id))
        .as(at)
        .isSorted();
  }

  private static Mail numbered(Mail mail, long id) {
    return switch (mail) {
      case Mail.Signal signal ->
          new Mail.Signal(id, signal.at(), signal.message(), signal.name(), signal.value());
      case Mail.ChildOutcome outcome ->
          new Mail.ChildOutcome(id, outcome.at(), outcome.child(), outcome.result());
      case Mail.Cancel cancel -> new Mail.Cancel(id, cancel.at(), cancel.reason());
      case Mail.Topic topic -> topic;
    };
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

  private void compareRows(Supplier<String> at, Store actual, Iterable<RunId> ids, int entries) {
    for (RunId id : ids) {
      assertThat(actual.run(id)).as(at).isEqualTo(memory.run(id));
      List<Entry> log = memory.log(id, 0, Integer.MAX_VALUE);
      int after = Math.max(0, log.size() - entries);
      assertThat(actual.log(id, after, Integer.MAX_VALUE))
          .as(at)
          .isEqualTo(log.subList(after, log.size()));
      compareMail(at, memory.mail(id), actual.mail(id));
    }
  }

  /** Compares what a log has grown by since the last time. */
  private void compareTail(Supplier<String> at, Store actual, RunId id) {
    long place = places.getOrDefault(id, 0L);
    List<Entry> tail = memory.log(id, place, Integer.MAX_VALUE);
    compareWhole(at, tail, actual.log(id, place, Integer.MAX_VALUE));
    places.put(id, place + tail.size());
  }

  private void compareViews(Supplier<String> at, Store actual) {
    assertThat(actual.counts()).as(at).isEqualTo(memory.counts());
    assertThat(actual.types()).as(at).isEqualTo(memory.types());
    for (RunId id : commands.runs().subList(0, 5)) {
      assertThat(actual.run(id)).as(at).isEqualTo(memory.run(id));
      assertThat(actual.log(id, 2, 3)).as(at).isEqualTo(memory.log(id, 2, 3));
      compareMail(at, memory.mail(id), actual.mail(id));
    }
    List<UUID> messages = commands.messages();
    for (UUID message : messages.subList(Math.max(0, messages.size() - 12), messages.size())) {
      assertThat(actual.emitted(message)).as(at).isEqualTo(memory.emitted(message));
    }
    for (int i = 0; i < 4; i++) {
      assertThat(actual.runByKey("key" + i)).as(at).isEqualTo(memory.runByKey("key" + i));
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
      assertThat(actual.list(query)).as(at).isEqualTo(memory.list(query));
    }
  }
}
