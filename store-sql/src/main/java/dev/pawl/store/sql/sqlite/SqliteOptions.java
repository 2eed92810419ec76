package dev.pawl.store.sql.sqlite;

import dev.pawl.time.SystemClock;
import java.time.Duration;
import java.time.InstantSource;

/**
 * How a SQLite store behaves.
 *
 * @param synchronous what an acknowledged commit survives
 * @param clock the store's clock
 * @param busy how long to wait for another process that is writing, before giving up
 */
public record SqliteOptions(Synchronous synchronous, InstantSource clock, Duration busy) {

  /** When SQLite waits for the disk. */
  public enum Synchronous {
    /** At every commit: what was acknowledged survives a power loss. */
    FULL("an acknowledged write survives power loss"),
    /**
     * At checkpoints only: what was acknowledged survives the death of the process, not that of the
     * machine.
     */
    NORMAL(
        "an acknowledged write survives a crash of the process; a power loss may undo the last"
            + " ones");

    private final String promise;

    Synchronous(String promise) {
      this.promise = promise;
    }

    String promise() {
      return promise;
    }
  }

  private static final Duration DEFAULT_BUSY = Duration.ofSeconds(30);

  public static SqliteOptions defaults() {
    return new SqliteOptions(Synchronous.FULL, SystemClock.instance(), DEFAULT_BUSY);
  }

  public SqliteOptions synchronous(Synchronous level) {
    return new SqliteOptions(level, clock, busy);
  }

  public SqliteOptions clock(InstantSource source) {
    return new SqliteOptions(synchronous, source, busy);
  }

  public SqliteOptions busy(Duration limit) {
    return new SqliteOptions(synchronous, clock, limit);
  }
}
