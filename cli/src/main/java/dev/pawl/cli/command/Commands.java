package dev.pawl.cli.command;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The commands there are, in the order in which help lists them. A command's class is loaded when
 * it is asked for: a start of the process pays for one.
 */
public final class Commands {
  /**
   * An entry of the list.
   *
   * @param group the heading it stands under in help; empty if it is not listed
   */
  public record Entry(String name, String group, String summary, Supplier<Command> make) {}

  private static final String WORK = "Do work";
  private static final String LOOK = "Look";
  private static final String OPERATE = "Operate";
  private static final String MORE = "More";

  private static final List<Entry> ALL =
      List.of(
          new Entry("start", WORK, "Record a run; a worker will carry it out", Start::new),
          new Entry(
              "work", WORK, "Carry out runs: programs, and tasks with your commands", Work::new),
          new Entry("run", WORK, "Carry out a program in a file, here and now", RunFile::new),
          new Entry("deploy", WORK, "Keep programs in the store: new runs take them", Deploy::new),
          new Entry("check", WORK, "Find everything that is wrong with a program", Check::new),
          new Entry("ls", LOOK, "List runs, newest first", Ls::new),
          new Entry("show", LOOK, "Tell everything about a run", Show::new),
          new Entry("log", LOOK, "Print a run's log, or follow it", Log::new),
          new Entry("graph", LOOK, "Draw a graph, or a run of one", GraphPicture::new),
          new Entry("blob", LOOK, "Print content that a result refers to", BlobContent::new),
          new Entry("stats", LOOK, "Count runs by type and status", Stats::new),
          new Entry("doctor", LOOK, "Check every run against its log and the rules", Doctor::new),
          new Entry("cancel", OPERATE, "Cancel a run", Cancel::new),
          new Entry("retry", OPERATE, "Give a failed or cancelled run another chance", Retry::new),
          new Entry("rewind", OPERATE, "Take a run back to a step", Rewind::new),
          new Entry(
              "fork", OPERATE, "Start a new run with a run's history up to a step", Fork::new),
          new Entry("signal", OPERATE, "Send a signal to a run", Signal::new),
          new Entry("trigger", OPERATE, "Give an input to a trigger of a graph", Trigger::new),
          new Entry("emit", OPERATE, "Emit an event to all who wait for it", Emit::new),
          new Entry("pause", OPERATE, "Keep runs of a type from being claimed", Pause::new),
          new Entry("resume", OPERATE, "Let runs of a paused type go on", Resume::new),
          new Entry("delete", OPERATE, "Hide a finished run, and remove it later", Delete::new),
          new Entry(
              "migrate", OPERATE, "Make a store's tables, or print the SQL for it", Migrate::new),
          new Entry("demo", MORE, "See it survive a crash, in some ten seconds", Demo::new),
          new Entry("demo-worker", "", "The worker process of the demo", DemoWorker::new),
          new Entry(
              "completion", MORE, "Print a completion script for bash or zsh", Completion::new),
          new Entry("bench", MORE, "Measure how fast Pawl is here", Measure::new),
          new Entry("version", MORE, "Print the version", Version::new),
          new Entry("help", MORE, "Explain a command", Help::new));

  private Commands() {}

  /** All that help lists. */
  public static List<Entry> listed() {
    return ALL.stream().filter(entry -> !entry.group().isEmpty()).toList();
  }

  public static Optional<Entry> find(String name) {
    return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }
}
