package dev.pawl.doctor;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds runs to the invariants while they change. Of each log it reads only what is new, so that a
 * look after every change is cheap; and it has seen leases being renewed, which no log tells: for
 * it P2 is about the lease as it stood, not as it was given.
 *
 * <p>What it says is only true of a store in which nothing changes while it looks. Not thread-safe.
 */
public final class Watch {
  private final Store store;
  private final Families families;
  private final Map<RunId, LogScan> logs = new HashMap<>();

  public Watch(Store store) {
    this.store = store;
    this.families = new Families(store);
  }

  /** Everything that is wrong with a run as it stands. */
  public List<Violation> look(Run row) {
    LogScan log = logs.computeIfAbsent(row.id(), LogScan::new);
    log.readOn(store);
    log.renewed(row);
    return Doctor.judge(store, families, row, log).violations();
  }
}
