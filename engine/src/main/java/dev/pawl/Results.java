package dev.pawl;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Hint;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import dev.pawl.work.TimedOutException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for runs to end: at once for those that end here, by hints and an ever slower look for the
 * others.
 */
final class Results implements AutoCloseable {
  private static final long FIRST_LOOK_MILLIS = 20;
  private static final long SLOWEST_LOOK_MILLIS = 1000;

  /**
   * Up to this many waiters look again at every sign of writing elsewhere; more rely on their own
   * looks.
   */
  private static final int MAX_EAGER = 64;

  private final Store store;
  private final Predicate<RunId> here;
  private final Ticker ticker;
  private final Nudges<Optional<Event.Terminal>> nudges;
  private final Map<RunId, Waiter> waiters = new ConcurrentHashMap<>();
  private final Recent unawaited = new Recent();
  private volatile boolean closed;

  /** The last runs of whose end was heard before anybody waited for them. Thread-safe. */
  private static final class Recent {
    private static final int LIMIT = 4096;
    private final Set<RunId> runs = new LinkedHashSet<>();

    synchronized void add(RunId id) {
      if (runs.add(id) && runs.size() > LIMIT) {
        runs.remove(runs.iterator().next());
      }
    }

    synchronized boolean contains(RunId id) {
      return runs.contains(id);
    }
  }

  /** Those who wait for one run. The news is empty when it only says: look again. */
  private static final class Waiter {
    volatile CompletableFuture<Optional<Event.Terminal>> news = new CompletableFuture<>();
    int users;
  }

  /**
   * @param here whether a run is being carried out in this process, so that its end will be told by
   *     {@link #ended}
   */
  Results(Store store, Predicate<RunId> here, Platform platform) {
    this.store = store;
    this.ticker = platform.ticker();
    this.nudges = new Nudges<>(platform, Optional.empty());
    this.here = here;
  }

  /**
   * Waits for the run's end.
   *
   * @param fresh whether the run was live only just now: then it is not looked at right away
   */
  Event.Terminal await(RunId id, Duration limit, boolean fresh) {
    Waiter waiter =
        waiters.compute(
            id,
            (key, present) -> {
              Waiter one = present == null ? new Waiter() : present;
              one.users++;
              return one;
            });
    try {
      return await(id, waiter, limit, fresh);
    } finally {
      waiters.computeIfPresent(id, (key, one) -> --one.users == 0 ? null : one);
    }
  }

  private Event.Terminal await(RunId id, Waiter waiter, Duration limit, boolean fresh) {
    long start = ticker.nanos();
    long wait = FIRST_LOOK_MILLIS;
    while (true) {
      CompletableFuture<Optional<Event.Terminal>> news = waiter.news;
      if (news.isDone()) {
        waiter.news = new CompletableFuture<>();
      }
      // Of a run that is carried out here we are told; it is looked at now and then all the same.
      boolean early =
          fresh && wait == FIRST_LOOK_MILLIS && !news.isDone() && !unawaited.contains(id);
      boolean told = early || (here.test(id) && wait < SLOWEST_LOOK_MILLIS);
      Optional<Event.Terminal> end = news.getNow(Optional.empty());
      end = end.isPresent() || told ? end : look(id);
      if (end.isPresent()) {
        return end.get();
      }
      if (closed) {
        throw PawlException.closed("the engine");
      }
      long left = limit.minus(ticker.since(start)).toMillis();
      if (left <= 0) {
        return look(id)
            .orElseThrow(() ->
                new TimedOutException(
                    "run " + id + " has not ended within " + limit.toMillis() + " ms; it goes on"));
      }
      end = listen(waiter.news, Math.min(left, wait));
      if (end.isPresent()) {
        return end.get();
      }
      wait = Math.min(wait * 2, SLOWEST_LOOK_MILLIS);
    }
  }

  private Optional<Event.Terminal> listen(
      CompletableFuture<Optional<Event.Terminal>> news, long millis) {
    try {
      nudges.after(millis, news);
      return news.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TimedOutException("the wait for a run was interrupted");
    } catch (ExecutionException e) {
      throw PawlException.internal("waiting failed: " + e.getCause());
    }
  }

  private Optional<Event.Terminal> look(RunId id) {
    Run run = store.run(id).orElseThrow(() -> PawlException.notFound("there is no run " + id));
    return switch (run.status()) {
      case SUCCEEDED -> Optional.of(new Event.Succeeded(run.result().orElseThrow()));
      case FAILED ->
          Optional.of(
              new Event.Failed(run.lastError().orElseGet(() -> Failure.of("ERROR", "unknown"))));
      case CANCELLED -> Optional.of(lastCancel(id));
      case PENDING, RUNNING, SUSPENDED -> Optional.empty();
    };
  }

  private Event.Terminal lastCancel(RunId id) {
    Event.Cancelled last = new Event.Cancelled("");
    long after = 0;
    for (var page = store.log(id, after, 1000);
        !page.isEmpty();
        page = store.log(id, after, 1000)) {
      for (var entry : page) {
        last = entry.event() instanceof Event.Cancelled cancelled ? cancelled : last;
        after = entry.seq();
      }
    }
    return last;
  }

  /** A run ended in this process. */
  void ended(RunId id, Event.Terminal end) {
    waiter(id).ifPresent(waiter -> waiter.news.complete(Optional.of(end)));
  }

  /** Who waits for a run that has ended; if it is nobody, whoever comes next will know. */
  private Optional<Waiter> waiter(RunId id) {
    @Nullable Waiter waiter = waiters.get(id);
    if (waiter == null) {
      unawaited.add(id);
      waiter = waiters.get(id);
    }
    return Optional.ofNullable(waiter);
  }

  void hinted(Hint hint) {
    switch (hint) {
      case Hint.Finished finished -> {
        if (!here.test(finished.run())) {
          waiter(finished.run()).ifPresent(Results::tell);
        }
      }
      case Hint.Elsewhere elsewhere -> {
        if (waiters.size() <= MAX_EAGER) {
          waiters.values().forEach(Results::tell);
        }
      }
      case Hint.Claimable claimable -> {}
      case Hint.Scheduled scheduled -> {}
    }
  }

  /** Whoever waits is told that there is nobody to tell it any more; the runs go on. */
  @Override
  public void close() {
    closed = true;
    nudges.close();
  }

  private static void tell(Waiter waiter) {
    waiter.news.complete(Optional.empty());
  }
}
