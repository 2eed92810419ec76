package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Table.Cell;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import dev.pawl.store.TypeState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code pawl stats}. */
final class Stats implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("stats", "Count runs by type and status, and name the types that are paused.")
        .notes(
            """
            JSON: {"store", "durability", "types": [{"type", "paused", "pending", "running",
            "suspended", "succeeded", "failed", "cancelled"}]}
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    try (Pawl pawl = session.open()) {
      Set<String> paused =
          pawl.types().stream()
              .filter(type -> !type.enabled())
              .map(TypeState::type)
              .collect(Collectors.toSet());
      Map<String, Map<Status, Long>> types = byType(pawl.counts());
      paused.forEach(type -> types.computeIfAbsent(type, name -> new EnumMap<>(Status.class)));
      if (session.isJson()) {
        session.print(json(session.storeUrl(), types, paused, pawl.store().durability()));
      } else if (types.isEmpty()) {
        session.note("no runs");
      } else {
        session.print(table(types, paused).lines("", session.paint()));
        session.note(session.storeUrl() + ": " + pawl.store().durability());
      }
    }
    return ExitCode.OK;
  }

  private static Map<String, Map<Status, Long>> byType(List<Count> counts) {
    Map<String, Map<Status, Long>> types = new TreeMap<>();
    for (Count count : counts) {
      types
          .computeIfAbsent(count.type(), name -> new EnumMap<>(Status.class))
          .merge(count.status(), count.runs(), Long::sum);
    }
    return types;
  }

  private static JsonLine json(
      String url, Map<String, Map<Status, Long>> types, Set<String> paused, String durability) {
    List<JsonLine> rows = new ArrayList<>();
    types.forEach((type, counts) -> {
      JsonLine row = new JsonLine().put("type", type).put("paused", paused.contains(type));
      for (Status status : Status.values()) {
        row.put(status.word(), counts.getOrDefault(status, 0L));
      }
      rows.add(row);
    });
    return new JsonLine().put("store", url).put("durability", durability).put("types", rows);
  }

  private static Table table(Map<String, Map<Status, Long>> types, Set<String> paused) {
    Table table =
        new Table(
            "TYPE", "PENDING", "RUNNING", "SUSPENDED", "SUCCEEDED", "FAILED", "CANCELLED", "");
    Map<Status, Long> total = new EnumMap<>(Status.class);
    types.forEach((type, counts) -> {
      counts.forEach((status, runs) -> total.merge(status, runs, Long::sum));
      table.row(
          row(
              Cell.of(Text.oneLine(type)),
              counts,
              new Cell(paused.contains(type) ? "paused" : "", Tone.WARNING)));
    });
    if (types.size() > 1) {
      table.row(row(new Cell("total", Tone.STRONG), total, Cell.of("")));
    }
    return table;
  }

  private static List<Cell> row(Cell name, Map<Status, Long> counts, Cell note) {
    List<Cell> cells = new ArrayList<>();
    cells.add(name);
    for (Status status : Status.values()) {
      long runs = counts.getOrDefault(status, 0L);
      cells.add(new Cell(Long.toString(runs), runs == 0 ? Tone.FAINT : Gist.tone(status)));
    }
    cells.add(note);
    return cells;
  }
}
