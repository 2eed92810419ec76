package dev.pawl.store.sql.sqlite;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.sql.batch.Known;
import org.jspecify.annotations.Nullable;

/** What the writer knows of a run, with its place in the file. */
final class KnownRow extends Known {
  final long rid;

  /** The weight that the cache has on its account for this. */
  int weighed;

  KnownRow(RunId id, long rid, long epoch, Status status, long lastSeq, @Nullable Run run) {
    super(id, epoch, status, lastSeq, run);
    this.rid = rid;
  }

  /** The place in the file of a run that this package found. */
  static long rid(Known known) {
    return ((KnownRow) known).rid;
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
