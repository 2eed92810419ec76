package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.graph.Graphs;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.fold.Projection;
import dev.pawl.graph.picture.Picture;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Definition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** {@code pawl graph}. */
final class GraphPicture implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("graph", "Draw a graph: that in a file, or that of a run with its states.")
        .parameter("GRAPH", "A file, such as media.json; or a run, as for pawl show")
        .option(
            "--out -o", "FILE", "Where to: .svg, .mmd or .dot. Default: Mermaid on the terminal")
        .notes(
            """
            Examples:
              pawl graph thumbnails.json --out picture.svg
              pawl graph last --out states.svg
            """);
  }

  @Override
  public int run(Session session, Arguments given) throws IOException {
    String what = given.parameter("GRAPH");
    Picture picture =
        what.endsWith(Graphs.SUFFIX)
            ? Picture.of(Graph.parse(Input.text(session, "@" + what)))
            : ofRun(session, what);
    Optional<String> file = given.value("--out");
    if (file.isEmpty()) {
      session.out().print(picture.mermaid());
    } else {
      Files.writeString(Path.of(file.get()), picture.as(file.get()));
      session.out().println(file.get());
    }
    return ExitCode.OK;
  }

  private static Picture ofRun(Session session, String address) {
    try (Pawl pawl = session.open()) {
      Run run = RunAddress.find(pawl, address);
      Definition definition =
          run.definition()
              .map(hash -> pawl.store().definition(hash))
              .orElseGet(() -> pawl.store().newestDefinition(run.type()))
              .filter(found -> found.kind().equals(Graphs.KIND))
              .orElseThrow(() ->
                  CommandException.missing(
                      "run " + run.id() + " has no graph in this store to draw"));
      return Picture.of(
          Graph.parse(definition.source()), Projection.of(pawl.log(run.id())), caption(run));
    }
  }

  private static String caption(Run run) {
    String error = run.lastError().map(failure -> ": " + Gist.summary(failure)).orElse("");
    return "run "
        + run.id()
        + " "
        + run.status().word()
        + (run.status() == Status.FAILED ? error : "")
        + ", "
        + TimeText.local(run.updatedAt());
  }
}
