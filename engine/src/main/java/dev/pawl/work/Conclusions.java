package dev.pawl.work;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.time.Platform;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How turns end: what the program says is handed in, nobody waits for it, and once it is durable
 * the turn gives up its place and all are told who are to know. Thread-safe.
 */
final class Conclusions {
  private static final Logger LOG = LoggerFactory.getLogger(Conclusions.class);

  private final Map<RunId, Turn> turns;
  private final Places places;
  private final TurnObserver observer;
  private final BiConsumer<RunId, Event.Terminal> finished;
  private final Platform platform;

  /**
   * @param turns those that are held, from which each is removed that is over
   * @param finished told of each run that ended here, after the commit
   */
  Conclusions(
      Map<RunId, Turn> turns,
      Places places,
      TurnObserver observer,
      BiConsumer<RunId, Event.Terminal> finished,
      Platform platform) {
    this.turns = turns;
    this.places = places;
    this.observer = observer;
    this.finished = finished;
    this.platform = platform;
  }

  /**
   * For a turn that begins now, and has a slot.
   *
   * @param retry how failures of its program are retried
   * @param early whether its lease is not durable yet: then it keeps its slot until it is, so that
   *     the worker is not taken to be idle
   */
  Program.Ending of(Turn turn, Retry retry, boolean early) {
    return new Conclusion(turn, retry, early);
  }

  /** Tells that a turn has ended which no program has ended. */
  void tell(Turn turn, Event.TurnEnd end) {
    observe(() -> observer.ended(turn, end));
  }

  private static void observe(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.warn("an observer of turns threw: {}", e.toString());
    }
  }

  private final class Conclusion implements Program.Ending {
    private final Turn turn;
    private final Retry retry;
    private final boolean early;
    private final long begunNanos = platform.ticker().nanos();
    private final AtomicBoolean said = new AtomicBoolean();

    Conclusion(Turn turn, Retry retry, boolean early) {
      this.turn = turn;
      this.retry = retry;
      this.early = early;
    }

    @Override
    public void end(Event.TurnEnd end) {
      if (said.compareAndSet(false, true)) {
        commit(end);
      }
    }

    @Override
    public void fail(Throwable error) {
      if (said.compareAndSet(false, true)) {
        if (error instanceof Turn.LeaseLost) {
          over(null, error, false);
        } else {
          commit(error);
        }
      }
    }

    private void commit(Throwable error) {
      Event.TurnEnd end;
      try {
        end = failed(error);
      } catch (RuntimeException | Error e) {
        over(null, new IllegalStateException("what comes of " + error + " is unclear", e), false);
        return;
      }
      commit(end);
    }

    private void commit(Event.TurnEnd end) {
      boolean moved = !early && places.moveOn(begunNanos);
      CompletableFuture<?> written;
      try {
        written = turn.end(end);
      } catch (RuntimeException | Error e) {
        over(null, e, moved);
        return;
      }
      CompletableFuture<?> unused =
          written.whenComplete(
              (done, problem) -> over(problem == null ? end : null, problem, moved));
    }

    private Event.TurnEnd failed(Throwable error) {
      Run run = turn.run();
      Failure.Source source = new Failure.Source("run", run.id().toString(), run.type());
      RunPolicy policy = RunPolicy.of(run);
      Failure failure = policy.judge(Failures.of(error, retry, run.attempt(), source));
      if (failure.retryable() && run.attempt() < run.maxAttempts()) {
        Instant next = turn.now().plus(policy.over(retry).backoff(run, platform.chance()));
        return new Event.Retried(failure, next, run.cleanup());
      }
      return new Event.Failed(failure);
    }

    /** The turn is over. Mostly called by whoever commits, and observers may take their time. */
    private void over(Event.@Nullable TurnEnd end, @Nullable Throwable problem, boolean moved) {
      if (observer.equals(TurnObserver.NONE)) {
        leave(end, problem, moved);
      } else {
        Thread.ofVirtual().name("pawl-observe").start(() -> leave(end, problem, moved));
      }
    }

    private void leave(Event.@Nullable TurnEnd end, @Nullable Throwable problem, boolean moved) {
      try {
        if (end != null) {
          observe(() -> observer.ended(turn, end));
        } else if (problem != null) {
          tellOf(
              problem instanceof CompletionException e && e.getCause() != null
                  ? e.getCause()
                  : problem);
        }
      } finally {
        turns.remove(turn.run().id(), turn);
        places.leave(moved);
      }
      // Only now: whoever waits for this end may start the next run, and should find room for it.
      if (end instanceof Event.Terminal terminal) {
        finished.accept(turn.run().id(), terminal);
      }
    }

    private void tellOf(Throwable problem) {
      Run run = turn.run();
      if (problem instanceof Turn.LeaseLost lost) {
        if (turn.isTaken()) {
          observe(() -> observer.lost(turn));
        }
        if (lost.getCause() instanceof PawlException cause && cause.code() != ErrorCode.CLOSED) {
          LOG.warn("turn of {} {} abandoned: {}", run.type(), run.id(), lost.getMessage());
        } else {
          LOG.debug("turn of {} {} abandoned: {}", run.type(), run.id(), lost.getMessage());
        }
      } else {
        LOG.error(
            "turn of {} {} could not be committed; its lease will expire",
            run.type(),
            run.id(),
            problem);
      }
    }
  }
}
