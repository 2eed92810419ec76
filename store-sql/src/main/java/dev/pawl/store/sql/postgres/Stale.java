package dev.pawl.store.sql.postgres;

/**
 * What a transaction decided on had changed by the time it wrote. It is undone, and done again with
 * the rows locked first.
 */
final class Stale extends Exception {
  private static final long serialVersionUID = 1L;

  Stale(String what) {
    super(what, null, false, false);
  }
}
