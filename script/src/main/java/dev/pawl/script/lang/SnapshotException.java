package dev.pawl.script.lang;

/** A snapshot that cannot be restored. */
public final class SnapshotException extends RuntimeException {
  /** Why not. */
  public enum Code {
    /** It was cut off or changed. */
    SNAPSHOT_CORRUPT,
    /** It belongs to another script. */
    SNAPSHOT_OF_ANOTHER_SCRIPT,
    /** It was written by a newer Pawl. */
    SNAPSHOT_TOO_NEW
  }

  private final Code code;

  SnapshotException(Code code, String message) {
    super(code + ": " + message);
    this.code = code;
  }

  static SnapshotException corrupt(String what) {
    return new SnapshotException(
        Code.SNAPSHOT_CORRUPT, "the snapshot is damaged: " + what + "; the run cannot go on");
  }

  public Code code() {
    return code;
  }
}
