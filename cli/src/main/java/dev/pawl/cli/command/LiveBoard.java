package dev.pawl.cli.command;

import dev.pawl.cli.session.Session;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines on standard error that are drawn over and over in the same place, on a screen that can do
 * it; other lines go above them. Thread-safe.
 */
final class LiveBoard {
  private static final String CLEAR_BELOW = "\u001b[J";

  private final Session session;
  private final boolean able;
  private List<String> drawn = List.of();

  LiveBoard(Session session) {
    this.session = session;
    this.able =
        session.terminal().errIsTty() && session.errorPaint().colours() && !session.isJson();
  }

  /** Whether the screen can do it. */
  boolean isAble() {
    return able;
  }

  /** Says something that stays. */
  void say(String line) {
    synchronized (session) {
      StringBuilder out = new StringBuilder();
      erase(out);
      out.append(line).append('\n');
      drawn.forEach(old -> out.append(old).append('\n'));
      session.err().print(out);
      session.err().flush();
    }
  }

  /** Draws the lines in the place of those before. */
  void draw(List<String> lines) {
    synchronized (session) {
      if (!able || lines.equals(drawn)) {
        return;
      }
      StringBuilder out = new StringBuilder();
      erase(out);
      lines.forEach(line -> out.append(line).append('\n'));
      drawn = new ArrayList<>(lines);
      session.err().print(out);
      session.err().flush();
    }
  }

  private void erase(StringBuilder out) {
    if (!drawn.isEmpty()) {
      out.append("\u001b[").append(drawn.size()).append('A').append(CLEAR_BELOW);
    }
  }
}
