package dev.pawl.store.sql.batch;

import dev.pawl.store.Routes;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What is to be claimed, as a transaction sees it. */
public interface Queue {
  boolean isEnabled(String type) throws SQLException;

  /**
   * The first {@code max} runs of enabled types that the routes lead to and that are due, in the
   * order of claims, with their rows.
   */
  List<Known> due(Routes routes, int max) throws SQLException;

  /** When the next such run falls due that is not due yet. */
  Optional<Instant> later(Routes routes) throws SQLException;
}
