package dev.pawl.cli;

import dev.pawl.cli.command.Commands;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Terminal;
import dev.pawl.cli.terminal.Text;
import dev.pawl.error.PawlException;
import java.util.List;

/** Tells what went wrong: one sentence on standard error, and the exit code that goes with it. */
final class Complaints {
  private final Terminal terminal;
  private final List<String> words;

  Complaints(Terminal terminal, List<String> words) {
    this.terminal = terminal;
    this.words = words;
  }

  static CommandException unknownCommand(String word) {
    String near =
        Commands.listed().stream()
            .map(Commands.Entry::name)
            .filter(name -> name.startsWith(word) || word.startsWith(name))
            .findFirst()
            .map(name -> "; did you mean '" + name + "'?")
            .orElse("; 'pawl help' lists them");
    return CommandException.usage("there is no command '" + word + "'" + near);
  }

  /** Tells of it; returns the exit code. */
  int about(Throwable e) {
    if (words.contains("--debug") || terminal.env().getOrDefault("PAWL_DEBUG", "").equals("1")) {
      e.printStackTrace(terminal.err());
    }
    String message = e.getMessage() == null ? "" : e.getMessage();
    return switch (e) {
      case CommandException known -> tell(known.code(), known.exit(), message);
      case PawlException known -> tell(known.code().name(), ExitCode.of(known.code()), message);
      default ->
          tell(
              "INTERNAL",
              ExitCode.SOFTWARE,
              "something went wrong inside Pawl ("
                  + e.getClass().getSimpleName()
                  + " "
                  + message
                  + "); --debug shows where");
    };
  }

  private int tell(String code, int exit, String sentence) {
    terminal.out().flush();
    String line = Text.oneLine(sentence);
    if (words.contains("--json")) {
      JsonLine error = new JsonLine().put("code", code).put("message", line).put("exit", exit);
      terminal.err().println(new JsonLine().put("error", error).text());
    } else {
      terminal.err().println("pawl: " + line);
    }
    return exit;
  }
}
