package dev.pawl.cli.command;

import dev.pawl.cli.session.CommandException;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "help", description = "Explain a command, or list them all.")
final class Help implements Callable<Integer> {
  private final Session session;

  @Spec @org.jspecify.annotations.Nullable private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "Which command.")
  private Optional<String> name = Optional.empty();

  Help(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (name.isEmpty()) {
      overview(session.out());
      return ExitCode.OK;
    }
    CommandLine pawl = java.util.Objects.requireNonNull(spec).parent().commandLine();
    Commands.Command found =
        Commands.find(name.get())
            .orElseThrow(() -> CommandException.usage("there is no command '" + name.get() + "'"));
    CommandLine command = new CommandLine(found.make().apply(session));
    pawl.addSubcommand("explained", command);
    command.usage(session.out());
    return ExitCode.OK;
  }

  /** What {@code pawl --help} prints. */
  static void overview(PrintStream out) {
    out.println(
        "pawl: durable workflows. What was accepted is finished, whatever dies in between.");
    out.println();
    out.println("Usage: pawl [--store URL] [--json] COMMAND …");
    String group = "";
    for (Commands.Command command : Commands.all()) {
      if (!command.group().equals(group)) {
        group = command.group();
        out.println();
        out.println(group + ":");
      }
      out.printf("  %-12s%s%n", command.name(), command.summary());
    }
    out.print(
        """

        For every command:
          --store URL   Where the runs live: sqlite:FILE. Default: $PAWL_STORE, else sqlite:pawl.db
          --json        For programs: one JSON object per line, errors too
          --no-color    No colours; also by NO_COLOR, and where output is not a screen
          --debug       Stack traces of errors; also by PAWL_DEBUG=1
          -h, --help    Explain the command

        Try:
          pawl start hello.v1 '{"name":"Ada"}'
          pawl work --exec 'hello.v1=jq -r .name' --until-idle
          pawl show last

        Exit codes: 0 well; 1 the run failed or a check found something; 2 the run was cancelled;
        64 usage; 65 bad data, or not possible in the run's state; 66 no such run, step or file;
        69 store unavailable; 70 internal; 73 key taken; 74 input or output; 75 try again; 77 not
        permitted, or read-only.
        """);
  }
}
