package dev.pawl.script;

import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Suspended runs that are still in memory, the oldest leaving first when they become too many or
 * too large. Thread-safe.
 */
final class WarmRuns {
  private static final int MAX_RUNS = 1000;
  private static final long MAX_BYTES = 16L << 20;

  private final Map<RunId, ScriptRun> runs = new LinkedHashMap<>();
  private long bytes;

  /** Takes a run out, if it stands where the log does. */
  synchronized Optional<ScriptRun> take(Activation activation) {
    ScriptRun run = runs.remove(activation.run().id());
    if (run == null) {
      return Optional.empty();
    }
    bytes -= run.weight();
    return Optional.of(run).filter(kept -> kept.continuesAt(activation));
  }

  synchronized void keep(RunId id, ScriptRun run) {
    ScriptRun before = runs.put(id, run);
    bytes += run.weight() - (before == null ? 0 : before.weight());
    Iterator<ScriptRun> oldest = runs.values().iterator();
    while (runs.size() > MAX_RUNS || bytes > MAX_BYTES) {
      bytes -= oldest.next().weight();
      oldest.remove();
    }
  }
}
