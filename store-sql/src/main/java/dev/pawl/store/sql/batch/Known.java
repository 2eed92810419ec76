package dev.pawl.store.sql.batch;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a run within a transaction: enough to fence it, and its row if that was needed.
 * There is one of each run, so what one command changed the next one sees.
 */
public class Known {
  public final RunId id;
  public long epoch;
  public Status status;
  public long lastSeq;
  public @Nullable Run run;

  protected Known(RunId id, long epoch, Status status, long lastSeq, @Nullable Run run) {
    this.id = id;
    this.epoch = epoch;
    this.status = status;
    this.lastSeq = lastSeq;
    this.run = run;
  }

  /** Takes over what has become of the row. */
  public void become(Run after) {
    run = after;
    epoch = after.epoch();
    status = after.status();
  }
}
