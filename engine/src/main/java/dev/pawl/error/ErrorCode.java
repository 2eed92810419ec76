package dev.pawl.error;

/**
 * The stable words for what went wrong. Programs switch on them, people search for them; they are
 * never renamed.
 */
public enum ErrorCode {
  /** What was asked for makes no sense as it was written. */
  BAD_INPUT,
  /** A text that should be JSON is not. */
  BAD_JSON,
  /** A value does not survive the way to JSON and back as the type it was declared with. */
  BAD_VALUE,
  /** A payload, result or message is larger than the limit. */
  TOO_LARGE,
  /** A run, step or definition that was named does not exist. */
  NOT_FOUND,
  /** What was asked is not possible in the state that was found. */
  CONFLICT,
  /** The store cannot do this kind of thing at all. */
  UNSUPPORTED,
  /** The store could not be opened, or does not answer. Nothing was written. */
  STORE_UNAVAILABLE,
  /** The file or database is there, but holds something that is not a Pawl store. */
  NOT_A_STORE,
  /** The store was written by a newer Pawl than this one. */
  STORE_TOO_NEW,
  /** The store does not accept writes. */
  STORE_READ_ONLY,
  /** The disk, or the quota, is full. Nothing was written. */
  STORE_FULL,
  /** What is kept is not what was written. */
  CORRUPT,
  /** Whether the write took place could not be found out. */
  UNKNOWN_OUTCOME,
  /** The engine, worker or handle was closed. */
  CLOSED,
  /** A time limit passed. */
  TIMEOUT,
  /** The run was cancelled. */
  CANCELLED,
  /** A run, step or child failed; its failure has the particulars. */
  FAILED,
  /** Every alternative of an {@code any} failed. */
  AGGREGATE,
  /** A flow's code no longer matches what its run has recorded. */
  DIVERGED,
  /** A run's worker died again and again without getting any further. */
  POISONED,
  /** A run's worker died, and the run has no attempt left. */
  WORKER_LOST,
  /** Another worker holds the run now: this turn's writes are refused. */
  FENCED,
  /** A defect of Pawl itself. */
  INTERNAL
}
