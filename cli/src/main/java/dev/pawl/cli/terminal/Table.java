package dev.pawl.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells in aligned columns, under a line of headings. */
public final class Table {
  private static final String GAP = "  ";

  private final List<String> headings;
  private final List<List<Cell>> rows = new ArrayList<>();

  /** A text with a tone. */
  public record Cell(String text, Tone tone) {
    public static Cell of(String text) {
      return new Cell(text, Tone.PLAIN);
    }

    public static Cell faint(String text) {
      return new Cell(text, Tone.FAINT);
    }
  }

  public Table(String... headings) {
    this.headings = List.of(headings);
  }

  public Table row(Cell... cells) {
    return row(List.of(cells));
  }

  public Table row(List<Cell> cells) {
    if (cells.size() != headings.size()) {
      throw new IllegalArgumentException(cells.size() + " cells for " + headings);
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /**
   * The lines of the table, each after the indent. Columns that are empty throughout are left out.
   */
  public List<String> lines(String indent, Paint paint) {
    List<Integer> shown = new ArrayList<>();
    for (int column = 0; column < headings.size(); column++) {
      int index = column;
      if (rows.stream().anyMatch(row -> !row.get(index).text().isEmpty())) {
        shown.add(column);
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(indent + line(headings.stream().map(Cell::faint).toList(), shown, paint));
    rows.forEach(row -> lines.add(indent + line(row, shown, paint)));
    return lines;
  }

  private String line(List<Cell> row, List<Integer> shown, Paint paint) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < shown.size(); i++) {
      int column = shown.get(i);
      Cell cell = row.get(column);
      line.append(i == 0 ? "" : GAP).append(paint.apply(cell.tone(), cell.text()));
      if (i < shown.size() - 1) {
        line.append(" ".repeat(width(column) - Text.width(cell.text())));
      }
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    int widest = Text.width(headings.get(column));
    for (List<Cell> row : rows) {
      widest = Math.max(widest, Text.width(row.get(column).text()));
    }
    return widest;
  }
}
