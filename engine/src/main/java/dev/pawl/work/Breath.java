package dev.pawl.work;

import dev.pawl.commit.GroupCommit;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.time.Platform;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Claim and turn in one breath: the turns that go on while the claim of their runs is still under
 * way, because their programs stand ready in memory. The first thing such a turn writes is written
 * with its lease, in the same transaction. Until that is durable it begins nothing that could be
 * noticed outside: whoever flushes waits for the lease.
 *
 * <p>If the claim comes to nothing, or the store has to make it once more and gets other runs, the
 * turns that were begun in vain are lost, as with any lost lease: nothing of theirs was written. A
 * run that kills its process like this is leased before its next turn begins, since nobody has it
 * in memory any more; so it is still found out.
 *
 * <p>For one claim. Thread-safe.
 */
final class Breath implements Command.Onward {
  /** What says that a lease is durable. */
  static final CompletableFuture<Outcome> HELD =
      CompletableFuture.completedFuture(new Outcome.Advanced(Instant.EPOCH));

  /** So long a transaction waits for what its runs have to say. */
  private static final long LONGEST_MILLIS = 5;

  private final Platform platform;
  private final GroupCommit commits;
  private final Beginning beginning;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition said = lock.newCondition();
  private final Map<RunId, Early> turns = new LinkedHashMap<>();
  private boolean begun;
  private boolean over;
  private int silent;

  /**
   * How turns begin.
   *
   * @param isReady whether the program of a run stands ready
   * @param turn makes the turn of such a run, given the way of its writes
   * @param go sets a turn going
   */
  record Beginning(
      Predicate<Activation> isReady,
      BiFunction<Activation, Writes, Turn> turn,
      Consumer<Turn> go) {}

  Breath(Platform platform, GroupCommit commits, Beginning beginning) {
    this.platform = platform;
    this.commits = commits;
    this.beginning = beginning;
  }

  // ---- within the transaction ----

  @Override
  public List<Command.Advance> goOn(List<Activation> leased) {
    if (begun) {
      Map<RunId, Activation> now = byRun(leased);
      early().stream().filter(early -> !early.isUnder(now)).forEach(Early::lose);
    } else {
      begun = true;
      leased.stream().filter(beginning.isReady()).forEach(this::begin);
    }
    lock.lock();
    try {
      awaitWords();
      over = true;
      return firsts();
    } finally {
      lock.unlock();
    }
  }

  private static Map<RunId, Activation> byRun(List<Activation> leased) {
    Map<RunId, Activation> all = new HashMap<>();
    leased.forEach(activation -> all.put(activation.run().id(), activation));
    return all;
  }

  private void begin(Activation activation) {
    Early early = new Early(activation);
    lock.lock();
    try {
      turns.put(activation.run().id(), early);
      silent++;
    } finally {
      lock.unlock();
    }
    beginning.go().accept(early.turn);
  }

  /** Waits until each turn has said what it writes, or that it waits for its lease. */
  private void awaitWords() {
    try {
      boolean patient = !over;
      while (patient && silent > 0) {
        patient = platform.await(said, LONGEST_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public List<Command.Advance> handedIn() {
    lock.lock();
    try {
      return firsts();
    } finally {
      lock.unlock();
    }
  }

  private List<Command.Advance> firsts() {
    return turns.values().stream()
        .filter(early -> !early.lost)
        .flatMap(early -> Optional.ofNullable(early.first).stream())
        .toList();
  }

  private List<Early> early() {
    lock.lock();
    try {
      return List.copyOf(turns.values());
    } finally {
      lock.unlock();
    }
  }

  // ---- behind it ----

  /** How many turns were begun: each gives its place back itself. */
  int size() {
    return early().size();
  }

  /**
   * Tells the turns what came of the claim; returns the leased runs that have no turn here.
   *
   * @param holding is given each turn whose lease is durable, before it learns of it
   */
  List<Activation> settle(Outcome.Claimed claimed, Consumer<Turn> holding) {
    Map<RunId, Activation> others = byRun(claimed.activations());
    for (Early early : early()) {
      RunId run = early.turn.run().id();
      Optional<Outcome> came = Optional.ofNullable(claimed.onward().get(run));
      if (came.isPresent() || early.isUnder(others)) {
        others.remove(run);
        holding.accept(early.turn);
        early.hold(came);
      } else {
        early.lose();
      }
    }
    return claimed.activations().stream()
        .filter(activation -> others.containsKey(activation.run().id()))
        .toList();
  }

  /** The claim came to nothing. */
  void abandon() {
    early().forEach(Early::lose);
  }

  /** A turn whose lease is not durable yet. */
  private final class Early implements Writes {
    final Turn turn;
    Command.@Nullable Advance first;
    volatile boolean lost;
    private final Activation activation;
    private final CompletableFuture<Outcome> lease = new CompletableFuture<>();
    private final CompletableFuture<Outcome> written = new CompletableFuture<>();
    private final List<Later> later = new ArrayList<>();
    private boolean hasSpoken;
    private boolean settled;

    Early(Activation activation) {
      this.activation = activation;
      this.turn = beginning.turn().apply(activation, this);
    }

    /** Whether these leases are those that the turn goes by: the same place in the same log. */
    boolean isUnder(Map<RunId, Activation> leased) {
      @Nullable Activation now = leased.get(activation.run().id());
      return !lost
          && now != null
          && now.run().epoch() == activation.run().epoch()
          && now.seq() == activation.seq();
    }

    @Override
    public CompletableFuture<Outcome> submit(Command command) {
      lock.lock();
      try {
        boolean inTime = !over && !hasSpoken;
        speak();
        if (inTime && command instanceof Command.Advance advance && advance.concernsOnlyItsRun()) {
          first = advance;
          return written;
        }
        if (!settled) {
          Later next = new Later(command);
          later.add(next);
          return next.outcome;
        }
      } finally {
        lock.unlock();
      }
      return lost ? CompletableFuture.completedFuture(fenced()) : commits.submit(command);
    }

    @Override
    public CompletableFuture<Outcome> lease() {
      lock.lock();
      try {
        speak();
        return lease;
      } finally {
        lock.unlock();
      }
    }

    private void speak() {
      if (!hasSpoken) {
        hasSpoken = true;
        silent--;
        said.signalAll();
      }
    }

    /**
     * The lease is durable.
     *
     * @param came what came of what was handed in with it
     */
    void hold(Optional<Outcome> came) {
      if (first != null && came.isEmpty()) {
        lose();
        return;
      }
      came.ifPresent(outcome -> tell(written, outcome));
      lease.complete(new Outcome.Advanced(activation.now()));
      lock.lock();
      try {
        // Under the lock, so that nothing handed in from now on comes before it.
        settled = true;
        later.forEach(Later::handIn);
      } finally {
        lock.unlock();
      }
    }

    private static void tell(CompletableFuture<Outcome> waiting, Outcome came) {
      if (came instanceof Outcome.Broken broken) {
        waiting.completeExceptionally(broken.problem());
      } else {
        waiting.complete(came);
      }
    }

    /** The lease was never taken. */
    void lose() {
      lock.lock();
      try {
        lost = true;
        settled = true;
      } finally {
        lock.unlock();
      }
      turn.lose();
      written.complete(fenced());
      lease.complete(fenced());
      later.forEach(next -> next.outcome.complete(fenced()));
    }

    private Outcome fenced() {
      return new Outcome.Fenced(activation.run().id(), "the claim did not come about");
    }
  }

  /** What is handed in when the lease is durable. */
  private final class Later {
    private final Command command;
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    Later(Command command) {
      this.command = command;
    }

    void handIn() {
      CompletableFuture<Outcome> unused =
          commits
              .submit(command)
              .whenComplete((came, problem) -> {
                if (problem == null) {
                  outcome.complete(came);
                } else {
                  outcome.completeExceptionally(problem);
                }
              });
    }
  }
}
