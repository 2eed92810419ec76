package dev.pawl.cli.command;

import dev.pawl.cli.session.CommandException;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.GlobalOptions;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footer = {
      "",
      "Examples:",
      "  source <(pawl completion)                              for this shell",
      "  pawl completion bash > ~/.local/share/bash-completion/completions/pawl",
      "  echo 'source <(pawl completion zsh)' >> ~/.zshrc"
    })
final class Completion implements Callable<Integer> {
  private final Session session;

  @Parameters(arity = "0..1", paramLabel = "SHELL", description = "bash (default) or zsh.")
  private String shell = "bash";

  Completion(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw CommandException.usage("there is completion for bash and zsh, not for '" + shell + "'");
    }
    CommandLine pawl = new CommandLine(new Root(session, new GlobalOptions()));
    Commands.all().stream()
        .filter(command -> !command.group().isEmpty())
        .forEach(command -> pawl.addSubcommand(command.name(), command.make().apply(session)));
    session.out().print(AutoComplete.bash("pawl", pawl));
    return ExitCode.OK;
  }
}
