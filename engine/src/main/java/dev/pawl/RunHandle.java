package dev.pawl;

import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.work.CancelledException;
import dev.pawl.work.Failures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A run from outside. Cheap to make and to drop: the run does not depend on it. Thread-safe. */
public final class RunHandle<O> {
  /** Longer than any run: for a wait without a limit. */
  private static final Duration FOREVER = Duration.ofDays(36_500);

  /** A run that was live so short a time ago has hardly ended. */
  private static final Duration FRESH = Duration.ofMillis(10);

  private final Pawl pawl;
  private final RunId id;
  private final JsonType<O> output;
  private final boolean created;
  private final boolean live;
  private final long madeNanos;

  private RunHandle(Pawl pawl, RunId id, JsonType<O> output, boolean created, boolean live) {
    this.pawl = pawl;
    this.id = id;
    this.output = output;
    this.created = created;
    this.live = live;
    this.madeNanos = pawl.platform().ticker().nanos();
  }

  /** Of a run that was just started. */
  static <O> RunHandle<O> started(Pawl pawl, RunId id, JsonType<O> output) {
    return new RunHandle<>(pawl, id, output, true, true);
  }

  /** Of a run that was just looked at. */
  static <O> RunHandle<O> found(Pawl pawl, Run run, JsonType<O> output) {
    return new RunHandle<>(pawl, run.id(), output, false, !run.status().isTerminal());
  }

  public RunId id() {
    return id;
  }

  /** Whether this start recorded the run; false if a run with the same key was there before. */
  public boolean isNew() {
    return created;
  }

  /** The run as it stands now. */
  public Run run() {
    return pawl.get(id);
  }

  /**
   * Waits until the run has ended, and returns its result.
   *
   * @throws dev.pawl.work.FailedException if it failed
   * @throws CancelledException if it was cancelled
   */
  public @Nullable O result() {
    return result(FOREVER);
  }

  /**
   * Waits for the result, at most this long.
   *
   * @throws dev.pawl.work.TimedOutException if the run has not ended by then; it goes on
   */
  public @Nullable O result(Duration limit) {
    boolean fresh = live && pawl.platform().ticker().since(madeNanos).compareTo(FRESH) < 0;
    return switch (pawl.await(id, limit, fresh)) {
      case Event.Succeeded done -> JsonCodec.decode(done.result(), output);
      case Event.Failed failed -> throw Failures.exception(failed.failure());
      case Event.Cancelled cancelled -> throw new CancelledException(cancelled.reason());
    };
  }

  public void signal(String name, @Nullable Object value) {
    pawl.signal(id, name, value);
  }

  public Run cancel(String reason) {
    return pawl.cancel(id, reason);
  }

  @Override
  public String toString() {
    return "run " + id;
  }
}
