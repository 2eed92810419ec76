package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exec.ExecOptions;
import dev.pawl.cli.exec.ExecTask;
import dev.pawl.cli.exec.Processes;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.program.ProgramKinds;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.json.Json;
import dev.pawl.script.Scripts;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.Worker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** {@code pawl work}. */
final class Work implements Command {
  /** What turns get to commit their end once their processes have ended. */
  private static final Duration LAST_COMMITS = Duration.ofMillis(500);

  private static final int MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "work",
            """
            Carry out runs: deployed programs (see 'pawl deploy'), and tasks with commands of your
            own. For each task the command is run by 'sh -c':
            the payload is JSON on its standard input; what it writes to standard output is the
            result (JSON if it is, else a text; nothing is null). Exit code 0 is success, 65 fails
            for good, 75 and all others are tried again, as often as the run was started with and
            after a growing wait. The end of standard error goes into the run's error.
            """)
        .repeatable(
            "--exec -x",
            "TYPE=COMMAND",
            "What to run for TYPE, or for all that begin with 'PREFIX%'")
        .flag("--no-programs", "Leave deployed programs to other workers")
        .option(
            "--watch",
            "DIR",
            "Deploy the scripts in DIR, and again each that changes: for development")
        .option(
            "--concurrency -c", "N", "How many commands at once. Default: the number of processors")
        .flag("--until-idle", "Stop when there is nothing to do")
        .option(
            "--due-within",
            "DURATION",
            "With --until-idle: also wait for what is due by then. Default: 0s")
        .option(
            "--lease",
            "DURATION",
            "After how long without a sign of life others take over. Default: 30s")
        .option("--timeout", "DURATION", "How long one attempt may take. Default: no limit")
        .option("--retry", "N", "Give up after N attempts, even where the run allows more")
        .option(
            "--backoff",
            "DURATION",
            "The wait before the second attempt; it doubles with each. Default: 2s")
        .option("--backoff-cap", "DURATION", "The longest wait between attempts. Default: 5m")
        .flag("--no-jitter", "Wait for the whole backoff, not for a random part of it")
        .option(
            "--kill-after",
            "DURATION",
            "How long after SIGTERM a command gets SIGKILL. Default: 5s")
        .option(
            "--drain",
            "DURATION",
            "How long commands may finish when the worker is stopped. Default: 10s")
        .option(
            "--max-output",
            "BYTES",
            "How much a command may write to standard output. Default: 8388608")
        .flag("--quiet -q", "No line per attempt, and no standard error of commands")
        .notes(
            """
            In the command's environment: PAWL_RUN, PAWL_TYPE, PAWL_ATTEMPT (from 1), PAWL_KEY (the
            same for every attempt: hand it to whoever should do a thing only once), PAWL_STORE.

            A task runs at least once: if its worker dies, another one runs it again when the lease
            has expired. Commands do not outlive a worker that is killed: they are killed as well.
            A cancelled run's command gets SIGTERM, and SIGKILL after --kill-after.
            On SIGTERM or SIGINT the worker takes nothing new, lets commands finish for --drain, ends
            those that are left, gives their runs back unharmed, and exits with 0.
            --until-idle stops when nothing can be claimed now and nothing is running here; runs that
            are due later, or held by other workers, are only waited for within --due-within.

            Examples:
              pawl work --exec 'mail.send.v1=./send-mail' --exec 'image.%=python3 image.py'
              pawl work --exec 'hello.v1=jq -r .name' --until-idle
              pawl work                                       deployed programs only
              pawl work --watch flows                         … and what is being written there
              pawl work --exec 'report.%=./report' --concurrency 2 --timeout 10m --json

            JSON, one object per attempt or run that ended: id type attempt outcome (succeeded,
            retried: the attempt failed, failed: the run, cancelled, released: given back, lost:
            somebody else has it) millis exit code message nextAt; at the end {"summary": {…}}.
            """);
  }

  @Override
  public int run(Session session, Arguments given) throws IOException, InterruptedException {
    Map<String, String> commands = Execs.parse(given.values("--exec"));
    if (commands.isEmpty() && given.has("--no-programs")) {
      throw CommandException.usage(
          "--exec is missing: it says what to run, such as --exec 'mail.send.v1=./send-mail'");
    }
    Settings settings = Settings.of(session, given);
    WorkReport report = new WorkReport(session, given.has("--quiet"));
    try (StopSignal stop = StopSignal.listen();
        Processes processes = Processes.open()) {
      work(session, commands, settings, report, stop, processes);
      report.summary();
      session.terminal().flush();
    }
    return ExitCode.OK;
  }

  private static void work(
      Session session,
      Map<String, String> commands,
      Settings settings,
      WorkReport report,
      StopSignal stop,
      Processes processes)
      throws InterruptedException {
    try (Pawl pawl = session.openOrMake()) {
      commands.forEach((type, command) -> {
        ExecTask handler = new ExecTask(command, settings.exec(), processes, report);
        pawl.register(Task.json(type, handler).retry(settings.retry()));
      });
      if (settings.programs()) {
        ProgramKinds.all().forEach(kind -> pawl.register(kind.program()));
      }
      Watching watching = settings.watch().map(place -> Watching.of(pawl, place)).orElse(() -> {});
      Worker worker =
          pawl.work(w ->
              w.concurrency(settings.concurrency())
                  .lease(settings.lease())
                  .drain(LAST_COMMITS)
                  .observer(report));
      report.began(worker.id(), commands.keySet(), settings.programs());
      IdleWatch idle =
          new IdleWatch(pawl, worker, commands.keySet(), settings.programs(), settings.dueWithin());
      stop.await(settings.untilIdle() ? idle::isIdle : () -> false);
      watching.close();
      new Drain(worker, processes, session).run(settings.drain(), settings.exec().killAfter());
    }
  }

  /** Scripts that are deployed as they change, until it is closed. */
  private interface Watching {
    void close();

    static Watching of(Pawl pawl, Path directory) {
      return Scripts.watch(pawl, directory)::close;
    }
  }

  /** What the options say, with defaults for what they do not. */
  private record Settings(
      int concurrency,
      boolean programs,
      Optional<Path> watch,
      boolean untilIdle,
      Duration dueWithin,
      Duration lease,
      Duration drain,
      Retry retry,
      ExecOptions exec) {

    static Settings of(Session session, Arguments given) {
      return new Settings(
          given
              .number("--concurrency", 1, 10_000)
              .orElse(Runtime.getRuntime().availableProcessors()),
          !given.has("--no-programs"),
          given.value("--watch").map(Path::of),
          given.has("--until-idle"),
          given.duration("--due-within").orElse(Duration.ZERO),
          given.duration("--lease").orElse(Duration.ofSeconds(30)),
          given.duration("--drain").orElse(Duration.ofSeconds(10)),
          retry(given),
          new ExecOptions(
              given.duration("--timeout"),
              given.duration("--kill-after").orElse(Duration.ofSeconds(5)),
              given.number("--max-output", 1, Json.MAX_CHARS).orElse(MAX_OUTPUT_BYTES),
              given.number("--retry", 1, Integer.MAX_VALUE).orElse(Integer.MAX_VALUE),
              session.absoluteStoreUrl()));
    }

    private static Retry retry(Arguments given) {
      Duration first = given.duration("--backoff").orElse(Duration.ofSeconds(2));
      Duration cap = given.duration("--backoff-cap").orElse(Duration.ofMinutes(5));
      return Retry.standard()
          .initial(first)
          .cap(cap.compareTo(first) < 0 ? first : cap)
          .jitter(!given.has("--no-jitter"));
    }
  }
}
