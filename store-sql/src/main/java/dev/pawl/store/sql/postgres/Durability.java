package dev.pawl.store.sql.postgres;

/** What an acknowledged commit survives, by the server's settings. */
final class Durability {
  private Durability() {}

  static String of(String fsync, String synchronousCommit, String standbys) {
    String settings =
        "postgres fsync="
            + fsync
            + " synchronous_commit="
            + synchronousCommit
            + (standbys.isBlank() ? "" : " synchronous_standby_names=" + standbys)
            + ": ";
    if (!fsync.equals("on")) {
      return settings
          + "a crash of the database's machine may lose acknowledged writes and damage the store";
    }
    if (synchronousCommit.equals("off")) {
      return settings
          + "a crash of the database may undo the acknowledged writes of its last moments";
    }
    return settings
        + "an acknowledged write survives power loss of the database"
        + standby(synchronousCommit, standbys);
  }

  private static String standby(String synchronousCommit, String standbys) {
    boolean waits =
        !standbys.isBlank()
            && (synchronousCommit.equals("on")
                || synchronousCommit.equals("remote_apply")
                || synchronousCommit.equals("remote_write"));
    return waits
        ? " and a failover to a synchronous standby"
        : "; a failover to a standby may lose the last ones";
  }
}
