package dev.pawl.store.sql.postgres;

import dev.pawl.store.sql.batch.Line;
import java.util.List;
import java.util.Optional;

/**
 * Entries of a log as the row of their run keeps them, which is where they go if they are written
 * with it: the first ones, and those that end it. That saves a row and a place in an index for
 * each. Migration {@code 0009} says what the text is made of.
 */
final class Kept {
  /** A row that grew beyond 2 KB would be taken apart, and packed, with every change of it. */
  private static final int MAX_CHARS = 600;

  /** Ids of entries count in steps of 64 from page to page. */
  private static final int MAX_ENTRIES = 64;

  private static final char PAGE = '\u001d';
  private static final char ENTRY = '\u001e';
  private static final char PART = '\u001f';

  /** Is found by an index on the table of logs. */
  private static final String RECEIVED = "signal.received";

  private static final String NUMBERED = "nextval('workflow.workflow_log_id_seq') || E'\\x1e' || $";

  /** What a new row keeps, if {@code $} is a page. */
  static final String FIRST = NUMBERED;

  /** ... and a row that is there; what it has, if {@code $} is NULL. */
  static final String MORE = "nullif(concat_ws(E'\\x1d', r.entries, " + NUMBERED + "), '')";

  private Kept() {}

  /** A page without its number; empty if the entries belong into the table. */
  static Optional<String> page(List<Line> lines) {
    if (lines.isEmpty() || lines.size() > MAX_ENTRIES || !isPlain(lines)) {
      return Optional.empty();
    }
    StringBuilder page = new StringBuilder(MAX_CHARS);
    for (Line line : lines) {
      if (!page.isEmpty()) {
        page.append(ENTRY);
      }
      page.append(line.entry().seq())
          .append(PART)
          .append(line.entry().at().toEpochMilli())
          .append(PART)
          .append(line.entry().epoch())
          .append(PART)
          .append(line.kind())
          .append(PART)
          .append(line.data());
    }
    return page.length() <= MAX_CHARS ? Optional.of(page.toString()) : Optional.empty();
  }

  private static boolean isPlain(List<Line> lines) {
    for (Line line : lines) {
      String data = line.data();
      boolean plain =
          data.length() <= MAX_CHARS
              && !line.kind().equals(RECEIVED)
              && data.indexOf(PAGE) < 0
              && data.indexOf(ENTRY) < 0
              && data.indexOf(PART) < 0;
      if (!plain) {
        return false;
      }
    }
    return true;
  }
}
