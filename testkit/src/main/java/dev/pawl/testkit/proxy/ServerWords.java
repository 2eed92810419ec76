package dev.pawl.testkit.proxy;

import java.nio.charset.StandardCharsets;

/**
 * Follows what a Postgres server says on one connection, message by message, as far as it takes to
 * know which message tells that a transaction is durable. Not thread-safe.
 *
 * <p>That is {@code CommandComplete} with the tag {@code COMMIT}; or, where there was no
 * transaction block, the {@code ReadyForQuery} behind a statement that wrote.
 */
final class ServerWords {
  private static final int COMMAND_COMPLETE = 'C';
  private static final int READY = 'Z';
  private static final int ERROR = 'E';
  private static final int IDLE = 'I';

  private boolean inBlock;
  private boolean wrote;

  /** Takes the next message; returns whether it acknowledges a commit. */
  boolean isCommit(int kind, byte[] body) {
    return switch (kind) {
      case COMMAND_COMPLETE -> completed(tag(body));
      case READY -> ready(body[0]);
      case ERROR -> {
        wrote = false;
        yield false;
      }
      default -> false;
    };
  }

  private boolean completed(String tag) {
    switch (tag) {
      case "BEGIN", "START TRANSACTION" -> inBlock = true;
      case "COMMIT" -> {
        wrote = false;
        return inBlock;
      }
      case "ROLLBACK" -> wrote = false;
      default -> wrote |= isWrite(tag);
    }
    return false;
  }

  private boolean ready(int state) {
    boolean commit = state == IDLE && !inBlock && wrote;
    inBlock = state != IDLE;
    wrote = inBlock && wrote;
    return commit;
  }

  private static boolean isWrite(String tag) {
    boolean changes =
        tag.startsWith("INSERT ") || tag.startsWith("UPDATE ") || tag.startsWith("DELETE ");
    return changes && !tag.endsWith(" 0");
  }

  private static String tag(byte[] body) {
    return new String(body, 0, Math.max(0, body.length - 1), StandardCharsets.UTF_8);
  }
}
