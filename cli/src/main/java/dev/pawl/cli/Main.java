package dev.pawl.cli;

import dev.pawl.cli.command.Commands;
import dev.pawl.cli.command.Root;
import dev.pawl.cli.session.GlobalOptions;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.Terminal;
import dev.pawl.cli.terminal.TimeInput;
import dev.pawl.error.PawlException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Where the {@code pawl} command starts. */
public final class Main {
  /** Global options that are followed by a value. */
  private static final Set<String> WITH_VALUE = Set.of("--store");

  private static final String TRAINING = "--aot-training";

  private Main() {}

  /** Runs one command and exits. */
  public static void main(String[] args) {
    Terminal terminal = Terminal.ofProcess();
    int exit = args.length == 1 && args[0].equals(TRAINING) ? Training.run() : run(args, terminal);
    // Nothing is left to wait for: whatever a command promised is durable when it returns.
    Runtime.getRuntime().halt(exit);
  }

  /** Runs one command on the given streams; returns its exit code. */
  public static int run(String[] args, Terminal terminal) {
    GlobalOptions options = new GlobalOptions();
    Session session = new Session(terminal, options);
    Complaints complaints = new Complaints(session, args);
    try {
      Optional<String> word = commandWord(args);
      if (word.isPresent() && Commands.find(word.get()).isEmpty()) {
        return complaints.unknownCommand(word.get());
      }
      if (word.isEmpty() && asksForHelp(args)) {
        return new Root(session, options).call();
      }
      return commandLine(session, options, word, complaints).execute(args);
    } finally {
      terminal.flush();
    }
  }

  private static CommandLine commandLine(
      Session session, GlobalOptions options, Optional<String> word, Complaints complaints) {
    CommandLine pawl = new CommandLine(new Root(session, options));
    word.flatMap(Commands::find)
        .ifPresent(found -> pawl.addSubcommand(found.name(), found.make().apply(session)));
    pawl.registerConverter(Duration.class, Main::duration);
    pawl.setOut(new PrintWriter(session.out(), false, StandardCharsets.UTF_8));
    pawl.setUsageHelpAutoWidth(false);
    pawl.setUsageHelpWidth(100);
    pawl.setAbbreviatedOptionsAllowed(false);
    pawl.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            session.paint().colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    pawl.setParameterExceptionHandler(complaints::badUsage);
    pawl.setExecutionExceptionHandler(complaints::failed);
    return pawl;
  }

  private static Duration duration(String text) {
    try {
      return TimeInput.duration(text);
    } catch (PawlException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static boolean asksForHelp(String[] args) {
    return List.of(args).contains("--help") || List.of(args).contains("-h");
  }

  /** The first word that is neither an option nor an option's value. */
  private static Optional<String> commandWord(String[] args) {
    for (int i = 0; i < args.length; i++) {
      if (WITH_VALUE.contains(args[i])) {
        i++;
      } else if (!args[i].startsWith("-")) {
        return Optional.of(args[i]);
      }
    }
    return Optional.empty();
  }
}
