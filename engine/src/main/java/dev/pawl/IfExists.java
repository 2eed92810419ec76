package dev.pawl;

/** What to do when a start's idempotency key is taken. */
public enum IfExists {
  /** Return the run that is there. */
  ATTACH,
  /** Refuse. */
  REJECT,
  /** Return the run that is there; if it has failed, give it another chance first. */
  RETRY_IF_FAILED
}
