package dev.pawl.script.lang;

/** What can be said of a snapshot without restoring it. */
public final class Snapshot {
  private Snapshot() {}

  /**
   * The hash of the script it was taken of.
   *
   * @throws SnapshotException if it is too short to have one
   */
  public static String scriptHash(byte[] snapshot) {
    return SnapshotBytes.hashOf(snapshot);
  }
}
