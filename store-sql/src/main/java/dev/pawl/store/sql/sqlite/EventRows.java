package dev.pawl.store.sql.sqlite;

import dev.pawl.store.sql.Prepared;
import dev.pawl.store.sql.batch.Line;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Log entries that a transaction has made and not written yet. Many rows in one statement cost half
 * of what they cost one by one, so they are kept back until somebody could see that they are
 * missing. Used by one thread.
 */
final class EventRows {
  /** How many rows a large statement takes. */
  static final int MANY = 16;

  /** Gives the statement that writes so many rows. */
  @FunctionalInterface
  interface Inserts {
    Prepared of(int rows) throws SQLException;
  }

  private record Row(long rid, Line line) {}

  private final Inserts inserts;
  private final List<Row> kept = new ArrayList<>();

  EventRows(Inserts inserts) {
    this.inserts = inserts;
  }

  void add(long rid, Line line) {
    kept.add(new Row(rid, line));
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  void write() throws SQLException {
    List<Row> rows = List.copyOf(kept);
    kept.clear();
    int done = 0;
    while (done < rows.size()) {
      int count = rows.size() - done >= MANY ? MANY : 1;
      Prepared insert = inserts.of(count);
      for (Row row : rows.subList(done, done + count)) {
        bind(insert, row);
      }
      insert.write();
      done += count;
    }
  }

  private static void bind(Prepared insert, Row row) throws SQLException {
    Line line = row.line();
    insert
        .with(row.rid())
        .with(line.entry().seq())
        .with(line.entry().at())
        .with(line.entry().epoch())
        .with(line.kind())
        .with(line.data());
  }

  /** Forgets them: the transaction is undone as far as they go. */
  void drop() {
    kept.clear();
  }
}
