package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.store.Definition;
import java.util.List;

/** {@code pawl deploy}. */
final class Deploy implements Command {
  private static final int HASH_CHARS = 12;

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "deploy",
            """
            Keep programs in the store, by the hash of their text. New runs take the newest one of
            their type; runs under way stay on the one they began with, to the end.
            If one of the files has an error, none is deployed.
            """)
        .parameters("FILE", "A script, such as order.flow")
        .notes(
            """
            The type is the name that the file states, else the file's own name without its ending.
            Any worker carries deployed programs out: 'pawl work'.

            Examples:
              pawl deploy order.flow
              pawl deploy flows/*.flow && pawl start shop.order.v1 @order.json --wait

            JSON, one object per file: file type definition, state (new, again, unchanged), and
            runs[] under way by definition: definition count.
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    ProgramFiles files = ProgramFiles.read(session, given.values("FILE"));
    if (!files.isSound()) {
      files.complain(session, session.err());
      return ExitCode.DATA;
    }
    try (Pawl pawl = session.openOrMake()) {
      files.sound().forEach(file -> deploy(session, pawl, file));
    }
    return ExitCode.OK;
  }

  private static void deploy(Session session, Pawl pawl, ProgramFiles.Sound file) {
    Definition definition = file.definition();
    List<Definition> before = pawl.store().definitions(definition.type());
    pawl.deploy(definition);
    InFlight runs = InFlight.of(pawl, definition.type());
    String state = state(definition, before);
    if (session.isJson()) {
      session.print(
          new JsonLine()
              .put("file", file.file())
              .put("type", definition.type())
              .put("definition", definition.hash())
              .put("state", state)
              .put("runs", runs.byDefinition().stream().map(Deploy::json).toList()));
      return;
    }
    session.out().println(definition.type() + " " + shortened(definition.hash()) + " " + state);
    runs.byDefinition().forEach(count -> session.out().println("  " + sentence(count, definition)));
  }

  private static String state(Definition definition, List<Definition> before) {
    if (!before.isEmpty() && before.getFirst().hash().equals(definition.hash())) {
      return "unchanged";
    }
    return before.stream().anyMatch(old -> old.hash().equals(definition.hash())) ? "again" : "new";
  }

  private static JsonLine json(InFlight.Count count) {
    return new JsonLine()
        .putIfAny("definition", count.definition())
        .put("count", count.runs())
        .put("more", count.more());
  }

  private static String sentence(InFlight.Count count, Definition newest) {
    String runs =
        count.runs() + (count.more() ? " or more" : "") + (count.runs() == 1 ? " run" : " runs");
    if (count.definition().isEmpty()) {
      return runs + " not begun yet: will take the newest";
    }
    String hash = count.definition().get();
    return runs
        + (count.runs() == 1 ? " stays on " : " stay on ")
        + shortened(hash)
        + (hash.equals(newest.hash()) ? ", the newest" : "");
  }

  private static String shortened(String hash) {
    return hash.substring(0, Math.min(HASH_CHARS, hash.length()));
  }
}
