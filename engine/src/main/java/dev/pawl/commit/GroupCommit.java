package dev.pawl.commit;

import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Gathers commands while a commit is under way and commits them together with the next.
 *
 * <p>Alone, a command commits at once; under load, hundreds share one fsync. The queue is bounded:
 * who hands in more than the store can take waits. A command's failure never fails its neighbours.
 * A commit whose outcome is unknown is read back, never blindly repeated.
 *
 * <p>A store that can commit several batches at once gets as many as it has lanes. What concerns
 * one run is never in two of them, and is committed in the order in which it was handed in.
 *
 * <p>Thread-safe; made for many virtual threads.
 */
public final class GroupCommit implements AutoCloseable {
  private final Platform platform;
  private final Intake intake;
  private final List<Lane> lanes;
  private final Set<Thread> transacting = ConcurrentHashMap.newKeySet();

  /** How many commands were committed, in how many commits. */
  public record Totals(long commands, long commits) {}

  public GroupCommit(Store store) {
    this(store, Platform.system());
  }

  public GroupCommit(Store store, Platform platform) {
    int count = Math.max(1, store.lanes());
    this.platform = platform;
    this.intake = new Intake(count, platform);
    this.lanes =
        IntStream.range(0, count)
            .mapToObj(number -> new Lane(store, intake, number, platform))
            .toList();
  }

  /**
   * Commits a command and returns what came of it, once it is durable. Where nobody else commits a
   * thread of the operating system does it itself.
   *
   * @throws PawlException if the store refused it; with {@code UNKNOWN_OUTCOME} if even reading
   *     back did not tell
   */
  public Outcome commit(Command command) {
    Command ready = ready(command);
    Optional<Intake.Seat> lent =
        platform.isOfTheSystem(Thread.currentThread()) ? intake.lend(ready) : Optional.empty();
    return await(
        lent.map(seat -> lanes.get(seat.lane()).carry(ready, seat))
            .orElseGet(() -> intake.put(ready)));
  }

  /**
   * Waits until a command that was handed in is durable, and returns what came of it.
   *
   * @throws PawlException as {@link #commit}
   */
  public static Outcome await(CompletableFuture<Outcome> outcome) {
    try {
      return outcome.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof PawlException problem ? again(problem) : e;
    }
  }

  /** Hands a command in; waits only while the queue is full. */
  public CompletableFuture<Outcome> submit(Command command) {
    return intake.put(ready(command));
  }

  private Command ready(Command command) {
    if (transacting.contains(Thread.currentThread())) {
      throw PawlException.conflict(
          "the engine was called from within a transaction, which would wait for itself; do it"
              + " before or after");
    }
    return command instanceof Command.Transact transact ? marked(transact) : command;
  }

  /** The same transaction, with the thread of its body known while it runs. */
  private Command.Transact marked(Command.Transact transact) {
    return new Command.Transact(
        transact.run(),
        transact.epoch(),
        transact.seq(),
        resource -> {
          transacting.add(Thread.currentThread());
          try {
            return transact.body().run(resource);
          } finally {
            transacting.remove(Thread.currentThread());
          }
        });
  }

  public Totals totals() {
    return new Totals(
        lanes.stream().mapToLong(Lane::commands).sum(),
        lanes.stream().mapToLong(Lane::commits).sum());
  }

  /** Commits what was handed in before, then refuses everything. */
  @Override
  public void close() {
    intake.close();
    boolean interrupted = false;
    for (Lane lane : lanes) {
      interrupted |= lane.join();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The same problem with the caller's stack, and the committer's as its cause. */
  private static PawlException again(PawlException problem) {
    return new PawlException(problem.code(), String.valueOf(problem.getMessage()), problem);
  }
}
