package dev.pawl.cli.command;

import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.io.PrintStream;
import java.util.Optional;

/** {@code pawl help}, and what {@code pawl} alone prints. */
public final class Help implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("help", "Explain a command, or list them all.")
        .optional("COMMAND", "Which command");
  }

  @Override
  public int run(Session session, Arguments given) {
    Optional<String> name = given.optional("COMMAND");
    if (name.isEmpty()) {
      overview(session.out());
    } else {
      Commands.Entry entry =
          Commands.find(name.get())
              .orElseThrow(
                  () -> CommandException.usage("there is no command '" + name.get() + "'"));
      session.print(entry.make().get().syntax().help());
    }
    return ExitCode.OK;
  }

  /** Lists the commands. */
  public static void overview(PrintStream out) {
    out.println(
        """
        pawl: durable workflows. What was accepted is finished, whatever dies in between.

        Usage: pawl COMMAND [OPTION …]\
        """);
    String group = "";
    for (Commands.Entry entry : Commands.listed()) {
      if (!entry.group().equals(group)) {
        group = entry.group();
        out.println();
        out.println(group + ":");
      }
      out.printf("  %-12s%s%n", entry.name(), entry.summary());
    }
    out.println();
    out.println("With every command:");
    for (Syntax.Option option : Syntax.GLOBAL) {
      String heading = option.name() + (option.isFlag() ? "" : " " + option.label());
      out.printf("  %-12s%s%n", heading, option.help());
    }
    out.print(
        """

        Try:
          pawl start hello.v1 '{"name":"Ada"}'
          pawl work --exec 'hello.v1=jq -r .name' --until-idle
          pawl show last

        Exit codes: 0 well; 1 the run failed, or a check found something; 2 the run was cancelled;
        64 usage; 65 bad data, or not possible in the run's state; 66 no such run, step or file;
        69 store unavailable; 70 internal; 73 key taken; 74 input or output; 75 try again;
        77 not permitted, or read-only.
        """);
  }
}
