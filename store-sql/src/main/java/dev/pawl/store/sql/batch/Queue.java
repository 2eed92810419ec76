package dev.pawl.store.sql.batch;

import dev.pawl.store.Routes;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is to be claimed, as a transaction sees it. */
public interface Queue {
  /** Whether a worker of this runtime may claim runs of the type. */
  boolean admits(String type, String runtime) throws SQLException;

  /**
   * The first {@code max} runs that the routes lead to and that are due, of types that admit the
   * runtime, in the order of claims, with their rows.
   */
  List<Known> due(Routes routes, String runtime, int max) throws SQLException;

  /** When the next such run falls due that is not due yet. */
  Optional<Instant> later(Routes routes, String runtime) throws SQLException;

  /** Whether all that is due was looked at; else there may be more. */
  default boolean sawAll() {
    return true;
  }
}
