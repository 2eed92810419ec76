package dev.pawl.store.sql.sqlite;

import dev.pawl.log.RunId;
import dev.pawl.store.TypeState;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the writer remembers of the file between its transactions, so as not to ask again. It holds
 * only while nobody else has written: the writer drops it when another connection has committed,
 * and when a transaction of its own was undone. Nothing leaves it within a transaction, so a {@link
 * KnownRow} in hand is the only one of its run.
 */
final class Cache {
  static final long UNKNOWN = -1;
  private static final int MAX_RUNS = 10_000;
  private static final long MAX_CHARS = 32L * 1024 * 1024;

  private final Map<RunId, KnownRow> runs = new LinkedHashMap<>(1024, 0.75f, true);
  private long chars;

  long lastRid = UNKNOWN;
  long lastMail = UNKNOWN;
  long lastPosition = UNKNOWN;

  /** What was said about types; those of which nothing was said are not in it. */
  @Nullable Map<String, TypeState> types;

  @Nullable KnownRow get(RunId id) {
    return runs.get(id);
  }

  void put(KnownRow known) {
    runs.put(known.id, known);
    weigh(known);
  }

  /** Takes note that what is known of a run has grown or shrunk. */
  void weigh(KnownRow known) {
    chars -= known.weighed;
    known.weighed = known.weight();
    chars += known.weighed;
  }

  void remove(RunId id) {
    @Nullable KnownRow known = runs.remove(id);
    chars -= known == null ? 0 : known.weighed;
  }

  void remember(TypeState type) {
    if (types != null) {
      types.put(type.type(), type);
    }
  }

  /** Between transactions: lets go of what was not used for longest. */
  void trim() {
    Iterator<KnownRow> oldest = runs.values().iterator();
    while ((chars > MAX_CHARS || runs.size() > MAX_RUNS) && oldest.hasNext()) {
      chars -= oldest.next().weighed;
      oldest.remove();
    }
  }

  void drop() {
    runs.clear();
    chars = 0;
    lastRid = UNKNOWN;
    lastMail = UNKNOWN;
    lastPosition = UNKNOWN;
    types = null;
  }
}
