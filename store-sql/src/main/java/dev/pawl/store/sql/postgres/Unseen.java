package dev.pawl.store.sql.postgres;

import java.sql.SQLException;

/**
 * A transaction that was to ask nothing needs something that was not foreseen. It is done again,
 * and reads first.
 */
final class Unseen extends SQLException {
  private static final long serialVersionUID = 1L;

  Unseen() {
    super("something has to be read first");
  }
}
