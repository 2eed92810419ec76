package dev.pawl.work;

import dev.pawl.log.Entry;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The logs of runs that were claimed together. Whoever needs one has others read along, as far as
 * they are short: many runs that wake at the same time cost few reads. Thread-safe.
 */
final class ClaimedLogs {
  /** A longer log is read by who needs it. */
  static final int SHORT = 32;

  private static final int MOST_TOGETHER = 64;

  /** A run that has only been created and leased has nothing to remember. */
  private static final int BLANK = 2;

  private final Store store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<RunId> unread = new LinkedHashSet<>();
  private final Map<RunId, List<Entry>> read = new HashMap<>();

  ClaimedLogs(Store store, List<Activation> claimed) {
    this.store = store;
    for (Activation activation : claimed) {
      if (activation.seq() > BLANK && activation.seq() <= SHORT) {
        unread.add(activation.run().id());
      }
    }
  }

  /** What is known here of a run's log, from its beginning on; maybe nothing. Given out once. */
  List<Entry> take(RunId id) {
    lock.lock();
    try {
      if (unread.contains(id)) {
        readWith(id);
      }
      List<Entry> log = read.remove(id);
      return log == null ? List.of() : log;
    } finally {
      lock.unlock();
    }
  }

  private void readWith(RunId id) {
    List<RunId> together = new ArrayList<>(List.of(id));
    unread.stream()
        .filter(other -> !other.equals(id))
        .limit(MOST_TOGETHER - 1)
        .forEach(together::add);
    // First, so that a read which fails does so for one.
    together.forEach(unread::remove);
    read.putAll(store.logs(together, SHORT));
  }
}
