package dev.pawl.cli.command;

import dev.pawl.cli.session.Session;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * The commands there are, in the order in which help lists them. A command's class is loaded when
 * it is asked for: a start of the process pays for one.
 */
public final class Commands {
  /**
   * A command.
   *
   * @param group the heading it stands under in help; empty if it is not listed
   * @param make the object that carries it out, annotated for picocli
   */
  public record Command(
      String name, String group, String summary, Function<Session, Callable<Integer>> make) {}

  private static final String WORK = "Do work";
  private static final String LOOK = "Look";
  private static final String OPERATE = "Operate";
  private static final String MORE = "More";

  private static final List<Command> ALL =
      List.of(
          new Command("start", WORK, "Record a run; a worker will carry it out", Start::new),
          new Command("work", WORK, "Carry out runs with commands of your own", Work::new),
          new Command("ls", LOOK, "List runs, newest first", Ls::new),
          new Command("show", LOOK, "Tell everything about a run", Show::new),
          new Command("log", LOOK, "Print a run's log, or follow it", Log::new),
          new Command("stats", LOOK, "Count runs by type and status", Stats::new),
          new Command("cancel", OPERATE, "Cancel a run", Cancel::new),
          new Command(
              "retry", OPERATE, "Give a failed or cancelled run another chance", Retry::new),
          new Command("rewind", OPERATE, "Take a run back to a step", Rewind::new),
          new Command(
              "fork", OPERATE, "Start a new run with a run's history up to a step", Fork::new),
          new Command("signal", OPERATE, "Send a signal to a run", Signal::new),
          new Command("emit", OPERATE, "Emit an event to all who wait for it", Emit::new),
          new Command("pause", OPERATE, "Keep runs of a type from being claimed", Pause::new),
          new Command("resume", OPERATE, "Let runs of a paused type go on", Resume::new),
          new Command("delete", OPERATE, "Hide a finished run, and remove it later", Delete::new),
          new Command(
              "completion", MORE, "Print a completion script for bash or zsh", Completion::new),
          new Command("version", MORE, "Print the version", Version::new),
          new Command("help", MORE, "Explain a command", Help::new));

  private Commands() {}

  public static List<Command> all() {
    return ALL;
  }

  public static Optional<Command> find(String name) {
    return ALL.stream().filter(command -> command.name().equals(name)).findFirst();
  }
}
