package dev.pawl.cli;

import dev.pawl.cli.command.Commands;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.CommandException;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.error.PawlException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Tells what went wrong: one sentence on standard error, and the exit code that goes with it. */
final class Complaints {
  private final Session session;
  private final List<String> args;

  Complaints(Session session, String[] args) {
    this.session = session;
    this.args = List.of(args);
  }

  int unknownCommand(String word) {
    String near =
        Commands.all().stream()
            .map(Commands.Command::name)
            .filter(name -> name.startsWith(word) || word.startsWith(name))
            .findFirst()
            .map(name -> "; did you mean '" + name + "'?")
            .orElse("; 'pawl help' lists them");
    return tell("BAD_INPUT", ExitCode.USAGE, "there is no command '" + word + "'" + near);
  }

  int badUsage(ParameterException e, String[] words) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    return tell("BAD_INPUT", ExitCode.USAGE, lower(message(e)) + " ('" + command + " --help')");
  }

  int failed(Exception e, CommandLine command, ParseResult parsed) {
    if (session.isDebug()) {
      e.printStackTrace(session.err());
    }
    return switch (e) {
      case CommandException known -> tell(known.code(), known.exit(), message(known));
      case PawlException known ->
          tell(known.code().name(), ExitCode.of(known.code()), message(known));
      default ->
          tell(
              "INTERNAL",
              ExitCode.SOFTWARE,
              "something went wrong inside Pawl: "
                  + e.getClass().getSimpleName()
                  + " "
                  + message(e)
                  + "; --debug shows where");
    };
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? "" : e.getMessage();
  }

  private int tell(String code, int exit, String sentence) {
    session.out().flush();
    String line = Text.oneLine(sentence);
    if (session.isJson() || args.contains("--json")) {
      JsonLine error = new JsonLine().put("code", code).put("message", line).put("exit", exit);
      session.err().println(new JsonLine().put("error", error).text());
    } else {
      session.err().println(session.errorPaint().apply(Tone.BAD, "pawl:") + " " + line);
    }
    return exit;
  }

  private static String lower(String message) {
    return message.isEmpty()
        ? message
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }
}
