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
    return Here.NAME + "-" + id.substring(id.length() - FRESH_CHARS);
  }

  /**
   * This process, looked up when its first worker is named and never again: the JDK forgets the
   * name of the host after some seconds, and whoever asks then may wait for the network, and for
   * others who ask.
   */
  private static final class Here {
    static final String NAME = host() + "-" + ProcessHandle.current().pid();

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
}
