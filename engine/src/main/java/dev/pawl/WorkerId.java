package dev.pawl;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;

/** Names a worker: host, process and a part that is new with every boot. */
final class WorkerId {
  private static final int FRESH_CHARS = 8;

  private WorkerId() {}

  static String fresh(UUID unique) {
    String id = unique.toString();
    return host()
        + "-"
        + ProcessHandle.current().pid()
        + "-"
        + id.substring(id.length() - FRESH_CHARS);
  }

  private static String host() {
    String given = System.getenv("HOSTNAME");
    if (given != null && !given.isBlank()) {
      return given;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
