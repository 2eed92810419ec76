package dev.pawl.store.sql.sqlite;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import org.jspecify.annotations.Nullable;

/** What the writer knows of a run: enough to fence it, and its row if that was needed. */
final class Known {
  final RunId id;
  final long rid;
  long epoch;
  Status status;
  long lastSeq;
  @Nullable Run run;

  /** The weight that the cache has on its account for this. */
  int weighed;

  Known(RunId id, long rid, long epoch, Status status, long lastSeq, @Nullable Run run) {
    this.id = id;
    this.rid = rid;
    this.epoch = epoch;
    this.status = status;
    this.lastSeq = lastSeq;
    this.run = run;
  }

  /** About how many characters it keeps in memory. */
  int weight() {
    return run == null
        ? 100
        : 1000
            + run.payload().text().length()
            + run.result().map(json -> json.text().length()).orElse(0);
  }
}
