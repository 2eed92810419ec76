package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Hint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What one process tells the others in a notification: lines of text, the first of which names the
 * sender. The functions of the SQL contract write the same.
 */
record Notice(String sender, List<String> lines) {
  /** Says that a process has begun to listen, and would like to know who else does. */
  static final String HELLO = "h";

  /** Says that a process listens. */
  static final String PRESENT = "p";

  private static final String ELSEWHERE = "e";
  private static final char CLAIMABLE = 'c';
  private static final char DUE = 'd';

  /** The sender of what follows from somebody's plain statement. */
  private static final String SQL = "sql";

  static String text(String sender, Collection<Hint> hints, int maxChars) {
    StringBuilder text = new StringBuilder(sender);
    for (Hint hint : hints) {
      text.append('\n').append(line(hint));
      if (text.length() > maxChars) {
        return sender + "\n" + ELSEWHERE;
      }
    }
    return text.toString();
  }

  /**
   * A text that the name of a type is still to be added to: it says that this run of that type is
   * due.
   */
  static String due(String sender, RunId run) {
    return sender + "\n" + DUE + run + " ";
  }

  private static String line(Hint hint) {
    return switch (hint) {
      case Hint.Claimable claimable -> CLAIMABLE + claimable.type();
      case Hint.Scheduled scheduled -> "s" + scheduled.at().toEpochMilli() + " " + scheduled.type();
      case Hint.Finished finished -> "f" + finished.run();
      case Hint.Elsewhere elsewhere -> ELSEWHERE;
    };
  }

  static Notice parse(String text) {
    List<String> lines = List.of(text.split("\n", -1));
    return new Notice(lines.get(0), lines.subList(1, lines.size()));
  }

  /** Whether its sender may hear answers. */
  boolean isOfAListener() {
    return !sender.equals(SQL);
  }

  boolean isGreeting() {
    return lines.contains(HELLO);
  }

  List<Hint> hints() {
    List<Hint> hints = new ArrayList<>(lines.size());
    for (String line : lines) {
      hint(line).ifPresent(hints::add);
    }
    return hints;
  }

  /** The run that is due, if that is all it says. */
  Optional<RunId> due() {
    String line = lines.size() == 1 ? lines.get(0) : "";
    int space = line.indexOf(' ');
    if (line.isEmpty() || line.charAt(0) != DUE || space < 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(RunId.parse(line.substring(1, space)));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /** What a line says; one that nobody here understands may be worth a look. */
  private static Optional<Hint> hint(String line) {
    if (line.equals(HELLO) || line.equals(PRESENT)) {
      return Optional.empty();
    }
    try {
      String rest = line.substring(1);
      return Optional.of(
          switch (line.charAt(0)) {
            case CLAIMABLE -> new Hint.Claimable(rest);
            case DUE -> new Hint.Claimable(rest.substring(rest.indexOf(' ') + 1));
            case 's' -> {
              int space = rest.indexOf(' ');
              Instant at = Instant.ofEpochMilli(Long.parseLong(rest.substring(0, space)));
              yield new Hint.Scheduled(rest.substring(space + 1), at);
            }
            case 'f' -> new Hint.Finished(RunId.parse(rest));
            default -> new Hint.Elsewhere();
          });
    } catch (RuntimeException e) {
      return Optional.of(new Hint.Elsewhere());
    }
  }
}
