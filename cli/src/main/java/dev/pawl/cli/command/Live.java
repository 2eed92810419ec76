package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.inspect.LogLine;
import dev.pawl.cli.program.ProgramKind;
import dev.pawl.cli.program.ProgramKinds;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.graph.Graphs;
import dev.pawl.log.Entry;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.work.DefinedProgram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where runs of this process stand, drawn while they go on: for programs that can tell, on a screen
 * that can show it. Elsewhere what happens is told line by line.
 */
final class Live {
  private final Map<ProgramKind, DefinedProgram> programs = new LinkedHashMap<>();
  private final LiveBoard board;
  private final Paint paint;

  private Live(LiveBoard board, Session session) {
    this.board = board;
    this.paint = session.errorPaint();
  }

  /** Makes every kind of program known, and watches them. */
  static Live register(Session session, Pawl pawl, LiveBoard board) {
    Live live = new Live(board, session);
    for (ProgramKind kind : ProgramKinds.all()) {
      DefinedProgram program = kind.program();
      live.programs.put(kind, program);
      pawl.register(program);
    }
    return live;
  }

  /** Tells of an entry in the log, unless it shows in what is drawn. */
  void tell(Entry entry) {
    boolean shown = board.isAble() && entry.event() instanceof NodeEvent;
    if (!shown) {
      board.say(LogLine.of(entry, paint));
    }
  }

  void draw(RunId run) {
    if (board.isAble()) {
      view(run).ifPresent(lines -> board.draw(lines));
    }
  }

  /** Draws how a graph has ended, as its log tells it. */
  void finish(Pawl pawl, RunId run) {
    if (!board.isAble()) {
      return;
    }
    Run ended = pawl.get(run);
    ended
        .definition()
        .flatMap(hash -> pawl.store().definition(hash))
        .filter(definition -> definition.kind().equals(Graphs.KIND))
        .flatMap(definition ->
            ProgramKinds.find(definition.kind())
                .flatMap(kind -> kind.view(definition, ended, pawl.log(run))))
        .ifPresent(view -> board.draw(view.lines(paint, false)));
  }

  private Optional<List<String>> view(RunId run) {
    return programs.entrySet().stream()
        .map(entry -> entry.getKey().live(entry.getValue(), run))
        .flatMap(Optional::stream)
        .map(view -> view.lines(paint, false))
        .findFirst();
  }
}
