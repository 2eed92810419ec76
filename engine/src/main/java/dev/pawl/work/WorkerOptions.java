package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.log.Names;
import dev.pawl.store.TypeState;
import java.time.Duration;
import java.util.Set;

/**
 * How a worker works.
 *
 * @param concurrency how many turns it carries out at once; with more than one, the ends of four
 *     times as many may be on their way to the store meanwhile, and it holds their leases too, and
 *     those of runs started here that will presumably begin within a moment
 * @param lease how long a run stays its own without a renewal; renewed at a third of it
 * @param poll the longest it waits before it looks for work again, whatever hints say; after work
 *     it looks sooner, and then ever less often
 * @param drain how long {@code close} lets turns finish before their runs are given back
 * @param only patterns that narrow what it claims; empty for everything it has handlers for
 * @param runtime what it is to the registry of types: one assigned to another runtime is not
 *     claimed
 * @param observer told how each turn ends
 */
public record WorkerOptions(
    int concurrency,
    Duration lease,
    Duration poll,
    Duration drain,
    Set<String> only,
    String runtime,
    TurnObserver observer) {
  private static final int DEFAULT_CONCURRENCY = 64;

  public WorkerOptions {
    if (concurrency < 1) {
      throw PawlException.badInput("a worker's concurrency is at least 1, not " + concurrency);
    }
    if (lease.toMillis() < 3) {
      throw PawlException.badInput(
          "a lease of " + lease.toMillis() + " ms cannot be renewed in time");
    }
    only = Set.copyOf(only);
  }

  public static WorkerOptions defaults() {
    return new WorkerOptions(
        DEFAULT_CONCURRENCY,
        Duration.ofSeconds(30),
        Duration.ofSeconds(4),
        Duration.ofSeconds(10),
        Set.of(),
        TypeState.JAVA,
        TurnObserver.NONE);
  }

  public WorkerOptions concurrency(int turns) {
    return new WorkerOptions(turns, lease, poll, drain, only, runtime, observer);
  }

  public WorkerOptions lease(Duration length) {
    return new WorkerOptions(concurrency, length, poll, drain, only, runtime, observer);
  }

  public WorkerOptions poll(Duration longest) {
    return new WorkerOptions(concurrency, lease, longest, drain, only, runtime, observer);
  }

  public WorkerOptions drain(Duration grace) {
    return new WorkerOptions(concurrency, lease, poll, grace, only, runtime, observer);
  }

  /** Claims only types that match one of these: {@code billing.invoice.v1}, {@code billing.%}. */
  public WorkerOptions only(String... patterns) {
    return new WorkerOptions(concurrency, lease, poll, drain, Set.of(patterns), runtime, observer);
  }

  /** Works for another runtime than {@code java}: for commands in Python, say. */
  public WorkerOptions runtime(String name) {
    return new WorkerOptions(
        concurrency, lease, poll, drain, only, Names.check("a runtime", name), observer);
  }

  /** Tells somebody how each turn ends. */
  public WorkerOptions observer(TurnObserver told) {
    return new WorkerOptions(concurrency, lease, poll, drain, only, runtime, told);
  }
}
