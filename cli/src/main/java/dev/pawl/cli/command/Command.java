package dev.pawl.cli.command;

import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;

/** Something a person can tell pawl to do. */
public interface Command {
  /** The words for a parameter that names a run. */
  String RUN_HELP =
      "An id, its last 6 or more characters, key:KEY, or last (the newest but children)";

  /** The words for a parameter that is a JSON value. */
  String JSON_HELP = "JSON, @FILE, or - for standard input. Default: null";

  Syntax syntax();

  /** Does it, and returns the exit code. */
  int run(Session session, Arguments given) throws Exception;
}
