package dev.pawl.log;

/** What a child is to its parent. */
public enum Bond {
  /** The parent gets its outcome, and cancelling the parent cancels it. */
  AWAITED,
  /** The parent gets its outcome; it survives the parent's cancellation. */
  ABANDONED,
  /** Fire and forget: it knows its parent, and that is all. */
  DETACHED
}
