package dev.pawl.script.lang;

/** Ends a script that asked for more than it may have. Scripts cannot catch it. */
final class LimitExceeded extends RuntimeException {
  /** What was exceeded, for people. */
  final String told;

  LimitExceeded(String message) {
    super(message, null, false, false);
    this.told = message;
  }
}
