package dev.pawl.cli.program;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.graph.Graphs;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.check.GraphCheck;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.fold.Projection;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.graph.run.GraphProgram;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import java.util.List;
import java.util.Optional;

/** Graphs, in {@code .json} files. */
final class GraphKind implements ProgramKind {
  private final NodeTypes types = Nodes.with(new ScriptExpressions());

  @Override
  public Reading read(String fileName, String text) {
    try {
      Graph graph = Graph.parse(text);
      List<Problem> problems =
          GraphCheck.problems(graph, types).stream()
              .map(found -> problem(fileName, ErrorCode.BAD_INPUT.name(), found.toString()))
              .toList();
      return problems.isEmpty()
          ? new Reading.Sound(Definition.of(Graphs.type(fileName, graph), Graphs.KIND, text))
          : new Reading.Faulty(problems);
    } catch (PawlException e) {
      String message = String.valueOf(e.getMessage());
      return new Reading.Faulty(List.of(problem(fileName, e.code().name(), message)));
    }
  }

  private static Problem problem(String fileName, String code, String message) {
    return new Problem(code, message, 0, 0, fileName + ": " + message);
  }

  @Override
  public DefinedProgram program() {
    return Graphs.all(types);
  }

  @Override
  public Optional<ProgramView> live(DefinedProgram program, RunId run) {
    return program instanceof GraphProgram graph
        ? graph.progress(run).map(GraphProgressView::new)
        : Optional.empty();
  }

  @Override
  public Optional<ProgramView> view(Definition definition, Run run, List<Entry> log) {
    return Optional.of(new GraphView(Graph.parse(definition.source()), Projection.of(log)));
  }
}
