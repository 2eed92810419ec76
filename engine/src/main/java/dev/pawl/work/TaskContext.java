package dev.pawl.work;

import dev.pawl.json.JsonCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import org.jspecify.annotations.Nullable;

/** What a task's handler may know of its run and say about it. */
public final class TaskContext {
  private final Turn turn;

  TaskContext(Turn turn) {
    this.turn = turn;
  }

  public RunId run() {
    return turn.run().id();
  }

  public String type() {
    return turn.run().type();
  }

  /** The number of this attempt, from 1. */
  public int attempt() {
    return turn.run().attempt();
  }

  /** The same for every attempt of this run: hand it to whoever should do a thing only once. */
  public String idempotencyKey() {
    Run run = turn.run();
    return run.key().orElseGet(() -> run.type() + "/" + run.id());
  }

  /** Whether somebody asked to cancel the run. The handler's thread is interrupted as well. */
  public boolean isCancelled() {
    return turn.cancelReason().isPresent();
  }

  /** Puts a sign of progress on record. The lease is renewed without it. */
  public void heartbeat(@Nullable Object progress) {
    turn.heartbeat(JsonCodec.encode(progress));
  }
}
