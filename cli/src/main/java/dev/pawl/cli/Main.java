package dev.pawl.cli;

import dev.pawl.cli.command.Command;
import dev.pawl.cli.command.Commands;
import dev.pawl.cli.command.Help;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the {@code pawl} command starts. */
public final class Main {
  private static final String TRAINING = "--aot-training";

  private Main() {}

  /** Runs one command and exits. */
  public static void main(String[] args) {
    Terminal terminal = Terminal.ofProcess();
    NativeSqlite.use();
    int exit = args.length == 1 && args[0].equals(TRAINING) ? Training.run() : run(terminal, args);
    System.exit(exit);
  }

  /** Runs one command on the given streams; returns its exit code. */
  public static int run(Terminal terminal, String... args) {
    List<String> words =
        args.length == 1 && args[0].equals("--version") ? List.of("version") : List.of(args);
    try {
      return run(terminal, words);
    } catch (Exception | OutOfMemoryError | StackOverflowError e) {
      return new Complaints(terminal, words).about(e);
    } finally {
      terminal.flush();
    }
  }

  private static int run(Terminal terminal, List<String> words) throws Exception {
    int place = commandPlace(words);
    if (place < 0) {
      Syntax.of("", "").parse(words);
      Help.overview(terminal.out());
      return words.isEmpty() || words.contains("--help") || words.contains("-h")
          ? ExitCode.OK
          : ExitCode.USAGE;
    }
    Optional<Commands.Entry> entry = Commands.find(words.get(place));
    if (entry.isEmpty()) {
      throw Complaints.unknownCommand(words.get(place));
    }
    List<String> rest = new ArrayList<>(words);
    rest.remove(place);
    return run(terminal, entry.get().make().get(), rest);
  }

  private static int run(Terminal terminal, Command command, List<String> words) throws Exception {
    Arguments given = command.syntax().parse(words);
    Session session = new Session(terminal, given);
    if (given.has("--help")) {
      session.print(command.syntax().help());
      return ExitCode.OK;
    }
    return command.run(session, given);
  }

  /**
   * Where the first word is that is neither a global option nor the value of one; -1 if nowhere.
   */
  private static int commandPlace(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).equals("--store")) {
        i++;
      } else if (!words.get(i).startsWith("-")) {
        return i;
      }
    }
    return -1;
  }
}
