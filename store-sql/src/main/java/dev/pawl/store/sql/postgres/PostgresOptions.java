package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * How a Postgres store behaves.
 *
 * @param lanes how many commits may be under way at once, each on a connection of its own
 * @param readers how many connections only read
 * @param hints whether other processes are told, by NOTIFY, that there is something to do. Without,
 *     nothing that belongs to a session is used, so that a pooler may share connections between
 *     transactions (PgBouncer)
 * @param clock the store's clock; the database's own if empty
 * @param patience how long to wait for a connection before giving up
 */
public record PostgresOptions(
    int lanes, int readers, boolean hints, Optional<InstantSource> clock, Duration patience) {
  private static final int DEFAULT_LANES = 2;
  private static final int MAX_LANES = 64;
  private static final int DEFAULT_READERS = 4;
  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(10);

  public PostgresOptions {
    if (lanes < 1 || lanes > MAX_LANES) {
      throw PawlException.badInput("a store has 1 to " + MAX_LANES + " lanes, not " + lanes);
    }
  }

  public static PostgresOptions defaults() {
    return new PostgresOptions(
        DEFAULT_LANES, DEFAULT_READERS, true, Optional.empty(), DEFAULT_PATIENCE);
  }

  public PostgresOptions lanes(int number) {
    return new PostgresOptions(number, readers, hints, clock, patience);
  }

  public PostgresOptions hints(boolean wanted) {
    return new PostgresOptions(lanes, readers, wanted, clock, patience);
  }

  public PostgresOptions clock(InstantSource source) {
    return new PostgresOptions(lanes, readers, hints, Optional.of(source), patience);
  }

  public PostgresOptions patience(Duration limit) {
    return new PostgresOptions(lanes, readers, hints, clock, limit);
  }
}
