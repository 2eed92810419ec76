package dev.pawl.cli.command;

import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code pawl completion}: a script that knows the commands, their options and the statuses. */
final class Completion implements Command {
  private static final String SCRIPT =
      """
      # Completion of pawl for bash, and for zsh through bashcompinit.
      _pawl() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command='' i
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            --store) i=$((i + 1)) ;;
            -*) ;;
            *) command=${COMP_WORDS[i]}; break ;;
          esac
        done
        case $previous in
          --status|-s) COMPREPLY=($(compgen -W '%STATUSES%' -- "$current")); return ;;
          --if-exists) COMPREPLY=($(compgen -W 'attach reject retry' -- "$current")); return ;;
          --lines) COMPREPLY=($(compgen -f -- "$current")); return ;;
        esac
        local words
        case $command in
          '') words='%COMMANDS% %GLOBAL%' ;;
      %CASES%
        esac
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      }
      complete -o default -F _pawl pawl ./pawl
      """;

  private static final String ZSH =
      """
      autoload -U +X bashcompinit && bashcompinit
      """;

  @Override
  public Syntax syntax() {
    return Syntax.of("completion", "Print a completion script for bash or zsh.")
        .optional("SHELL", "bash (default) or zsh")
        .notes(
            """
            Examples:
              source <(pawl completion)                     for this shell
              pawl completion bash > ~/.local/share/bash-completion/completions/pawl
              echo 'source <(pawl completion zsh)' >> ~/.zshrc
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String shell = given.optional("SHELL").orElse("bash");
    if (!shell.equals("bash") && !shell.equals("zsh")) {
      throw CommandException.usage("there is completion for bash and zsh, not for '" + shell + "'");
    }
    session.out().print(shell.equals("zsh") ? ZSH : "");
    session
        .out()
        .print(
            SCRIPT
                .replace("%STATUSES%", statuses())
                .replace("%COMMANDS%", commands())
                .replace("%GLOBAL%", options(Syntax.GLOBAL.stream()))
                .replace("%CASES%", cases()));
    return ExitCode.OK;
  }

  private static String statuses() {
    return Stream.of(dev.pawl.log.Status.values())
        .map(dev.pawl.log.Status::word)
        .collect(Collectors.joining(" "));
  }

  private static String commands() {
    return Commands.listed().stream().map(Commands.Entry::name).collect(Collectors.joining(" "));
  }

  private static String options(Stream<Syntax.Option> options) {
    return options.flatMap(option -> option.names().stream()).collect(Collectors.joining(" "));
  }

  private static String cases() {
    return Commands.listed().stream()
        .map(entry ->
            "    "
                + entry.name()
                + ") words='"
                + options(entry.make().get().syntax().all().stream())
                + (entry.name().equals("help") ? " " + commands() : "")
                + "' ;;")
        .collect(Collectors.joining("\n"));
  }
}
