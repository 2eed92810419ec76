package dev.pawl.testkit.chaos;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Report;
import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import dev.pawl.testkit.postgres.PostgresNode;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.testkit.proxy.PostgresProxy;
import dev.pawl.time.Ticker;
import dev.pawl.work.RunType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Starts tasks and flows while worker processes, the server and the network between them fail again
 * and again; then lets everything heal, waits until every run has ended, and looks: is every
 * acknowledged run there and done, has no effect happened twice under one lease, is the store
 * sound.
 */
public final class Chaos {
  static final int ATTEMPTS = 1000;
  private static final int CHUNK = 200;
  private static final int FLOWS_PER_CHUNK = 10;
  private static final long LOOK_NANOS = 100_000_000;
  private static final Ticker TICKER = Ticker.system();

  private final ChaosPlan plan;
  private final long seed;
  private final Path directory;
  private final long start = TICKER.nanos();
  private final List<String> problems = new ArrayList<>();
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final AtomicInteger started = new AtomicInteger();

  private Chaos(ChaosPlan plan, long seed, Path directory) {
    this.plan = plan;
    this.seed = seed;
    this.directory = directory;
  }

  /** Goes through with the plan in an empty directory. */
  public static ChaosReport run(ChaosPlan plan, long seed, Path directory) {
    Chaos chaos = new Chaos(plan, seed, directory);
    if (!plan.postgres()) {
      return chaos.run(
          "sqlite:" + directory.resolve("chaos.db"), Optional.empty(), Optional.empty());
    }
    try (PostgresNode server = PostgresNode.create(directory.resolve("data"))) {
      PostgresServer.execute(server.url("postgres"), "CREATE DATABASE chaos");
      try (PostgresProxy proxy = PostgresProxy.before(server.port())) {
        String url =
            server.url("chaos").replace(":" + server.port() + "/", ":" + proxy.port() + "/");
        return chaos.run(url, Optional.of(server), Optional.of(proxy));
      }
    }
  }

  private ChaosReport run(
      String url, Optional<PostgresNode> server, Optional<PostgresProxy> proxy) {
    try (Pawl producer = Pawl.open(url);
        Mischief mischief = new Mischief(plan, seed, url, directory, server, proxy)) {
      mischief.begin();
      Set<RunId> acknowledged = ConcurrentHashMap.newKeySet();
      CompletableFuture<Void> producing =
          CompletableFuture.runAsync(() -> produce(producer, acknowledged));
      for (int i = 1; i <= plan.restarts(); i++) {
        int share = i * plan.tasks() / (plan.restarts() + 2);
        await(share + " runs have ended", () -> ended(producer) >= share);
        mischief.restart();
      }
      await("everything is started", producing::isDone);
      await("half of it has ended", () -> ended(producer) >= plan.tasks() / 2);
      Duration storm = TICKER.since(start);
      mischief.heal();
      await("every run has ended", () -> unfinished(producer) == 0);
      check(producer, acknowledged);
      return new ChaosReport(seed, TICKER.since(start), storm, mischief.done(), counts, problems);
    }
  }

  private void await(String what, java.util.function.BooleanSupplier reached) {
    while (!reached.getAsBoolean()) {
      if (TICKER.since(start).compareTo(plan.atMost()) > 0) {
        problems.add(
            "after " + plan.atMost().toMinutes() + " minutes it had not come to this: " + what);
        return;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  // ---- the producer ----

  /** Starts chunk after chunk, each again and again until it is acknowledged. */
  private void produce(Pawl producer, Set<RunId> acknowledged) {
    int first = 0;
    while (first < plan.tasks() || TICKER.since(start).compareTo(plan.atLeast()) < 0) {
      List<Integer> tasks = IntStream.range(first, first + CHUNK).boxed().toList();
      List<Integer> flows = tasks.subList(0, FLOWS_PER_CHUNK);
      acknowledged.addAll(startAll(producer, ChaosWorker.task(NOWHERE), tasks, "task-"));
      acknowledged.addAll(startAll(producer, ChaosWorker.flow(NOWHERE), flows, "flow-"));
      first += CHUNK;
      started.set(first);
      awaitRoom(producer);
    }
  }

  /** What goes on for long does not pile up more than the workers can do. */
  private void awaitRoom(Pawl producer) {
    if (!plan.atLeast().isZero()) {
      await("there is room", () -> unfinished(producer) < plan.tasks());
    }
  }

  private static <I> List<RunId> startAll(
      Pawl producer, RunType<I, ?> type, List<I> inputs, String prefix) {
    while (true) {
      try {
        return producer
            .startAll(type, inputs, (n, options) -> options.key(prefix + n).maxAttempts(ATTEMPTS))
            .stream()
            .map(RunHandle::id)
            .toList();
      } catch (PawlException unavailable) {
        // The same keys again, until somebody answers.
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  private static long unfinished(Pawl pawl) {
    return count(pawl, false);
  }

  private static long ended(Pawl pawl) {
    return count(pawl, true);
  }

  /** How many runs have ended or not; -1 if nobody answers. */
  private static long count(Pawl pawl, boolean ended) {
    try {
      return pawl.counts().stream()
          .filter(count -> count.status().isTerminal() == ended)
          .mapToLong(Count::runs)
          .sum();
    } catch (PawlException unavailable) {
      return -1;
    }
  }

  // ---- the end ----

  private void check(Pawl pawl, Set<RunId> acknowledged) {
    int tasks = started.get();
    int flows = tasks / CHUNK * FLOWS_PER_CHUNK;
    counts.put("runs acknowledged", (long) acknowledged.size());
    if (acknowledged.size() != tasks + flows) {
      problems.add(
          "%d runs were acknowledged under %d keys".formatted(acknowledged.size(), tasks + flows));
    }
    acknowledged.forEach(id -> checkDone(id, pawl.find(id)));
    checkEffects(Ledger.read(directory.resolve("ledger")), tasks, flows);
    Report report = Doctor.check(pawl.store(), violation -> problems.add(violation.toString()));
    counts.put("runs the doctor looked at", report.runs());
    counts.put("entries in their logs", report.events());
    if (report.runs() != tasks + 2L * flows) {
      problems.add(
          "there should be %d runs, there are %d".formatted(tasks + 2L * flows, report.runs()));
    }
  }

  private void checkDone(RunId id, Optional<Run> found) {
    if (found.isEmpty()) {
      problems.add("run " + id + " was acknowledged and is lost");
    } else if (found.get().status() != Status.SUCCEEDED) {
      problems.add("run " + id + " is " + found.get().status().word() + ": " + found.get());
    } else if (!found.get().result().equals(Optional.of(found.get().payload()))) {
      problems.add("run " + id + " has another's result: " + found.get().result());
    }
  }

  /** A line of a task names its lease, by the attempt: each may stand there once. */
  private void checkEffects(List<String> lines, int tasks, int flows) {
    Set<String> leases = new HashSet<>();
    Set<String> runs = new HashSet<>();
    Set<String> steps = new HashSet<>();
    for (String line : lines) {
      String[] words = line.split(" ", 3);
      if (words[0].equals("step")) {
        steps.add(line);
        continue;
      }
      runs.add(words[1]);
      if (!leases.add(line)) {
        problems.add("an effect happened twice under one lease: " + line);
      }
    }
    counts.put("effects in the ledger", (long) lines.size());
    counts.put(
        "of these again, under another lease", lines.size() - (long) runs.size() - steps.size());
    if (runs.size() != tasks + flows) {
      problems.add("%d tasks have left an effect, of %d".formatted(runs.size(), tasks + flows));
    }
    if (steps.size() != 2 * flows) {
      problems.add("%d steps have left an effect, of %d".formatted(steps.size(), 2 * flows));
    }
  }

  /** The producer knows the types and carries out none. */
  private static final Ledger NOWHERE = Ledger.open(Path.of("/dev/null"));
}
