package dev.pawl.script.lang;

/**
 * The numbers in snapshots. They are for ever: new ones may be added, none may change its meaning.
 *
 * <p>A snapshot is: two letters, a version, the hash of the script, the body, and a CRC-32 of all
 * of it. The body is: the texts; the kinds of the objects; the objects; the machine; its fibers.
 * Whole numbers are written seven bits at a time, low ones first.
 */
final class SnapshotFormat {
  static final byte MAGIC_1 = 'P';
  static final byte MAGIC_2 = 'w';
  static final byte VERSION = 1;
  static final int HASH_BYTES = 32;
  static final int HEADER_BYTES = 3 + HASH_BYTES;
  static final int CHECKSUM_BYTES = 4;

  static final int NULL = 0;
  static final int UNSET = 1;
  static final int TRUE = 2;
  static final int FALSE = 3;
  static final int INTEGER = 4;
  static final int NUMBER = 5;
  static final int TEXT = 6;
  static final int OBJECT = 7;
  static final int BUILTIN = 8;

  static final int LIST_OBJECT = 1;
  static final int PLAIN_OBJECT = 2;
  static final int ERROR_OBJECT = 3;
  static final int PROMISE_OBJECT = 4;
  static final int CELL_OBJECT = 5;
  static final int CLOSURE_OBJECT = 6;
  static final int ITERATOR_OBJECT = 7;

  static final int CODE_FRAME = 1;
  static final int LOOP_FRAME = 2;
  static final int SORT_FRAME = 3;

  static final int TASK_OPERATION = 1;
  static final int WORKFLOW_OPERATION = 2;
  static final int SLEEP_OPERATION = 3;
  static final int SLEEP_UNTIL_OPERATION = 4;
  static final int SIGNAL_OPERATION = 5;
  static final int EVENT_OPERATION = 6;

  private SnapshotFormat() {}
}
