package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exec.ExecOptions;
import dev.pawl.cli.exec.ExecTask;
import dev.pawl.cli.exec.Processes;
import dev.pawl.cli.session.CommandException;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.log.Names;
import dev.pawl.store.Routes;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import dev.pawl.work.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "work",
    description = {
      "Carry out runs with commands of your own. For each task the command is run by 'sh -c':",
      "the payload is JSON on its standard input; what it writes to standard output is the",
      "result (JSON if it is, else a text; nothing is null). Exit code 0 is success, 65 fails",
      "for good, 75 and all others are tried again, as often as the run was started with and",
      "after a growing wait. The end of standard error goes into the run's error.",
      ""
    },
    footer = {
      "",
      "In the command's environment: PAWL_RUN, PAWL_TYPE, PAWL_ATTEMPT (from 1), PAWL_KEY (the",
      "same for every attempt: hand it to whoever should do a thing only once), PAWL_STORE.",
      "",
      "A task runs at least once: if its worker dies, another one runs it again when the lease",
      "has expired. Commands do not outlive a worker that is killed: they are killed as well.",
      "A cancelled run's command gets SIGTERM, and SIGKILL after --kill-after.",
      "On SIGTERM or SIGINT the worker takes nothing new, lets commands finish for --drain, ends",
      "those that are left, gives their runs back unharmed, and exits with 0.",
      "--until-idle stops when nothing can be claimed now and nothing is running here; runs that",
      "are due later, or held by other workers, are only waited for within --due-within.",
      "",
      "Examples:",
      "  pawl work --exec 'mail.send.v1=./send-mail' --exec 'image.%%=python3 image.py'",
      "  pawl work --exec 'hello.v1=jq -r .name' --until-idle",
      "  pawl work --exec 'report.%%=./report' --concurrency 2 --timeout 10m --json",
      "",
      "JSON, one object per attempt: id type attempt outcome (succeeded, failed, rejected,",
      "cancelled, interrupted) millis exit message; at the end a summary."
    })
final class Work implements Callable<Integer> {
  /** What turns get to commit their end once their processes have ended. */
  private static final Duration LAST_COMMITS = Duration.ofMillis(500);

  private final Session session;

  @Option(
      names = {"-x", "--exec"},
      paramLabel = "TYPE=COMMAND",
      required = true,
      description =
          "What to run for TYPE, or for all types that begin with 'PREFIX%%'; repeatable.")
  private List<String> execs = new ArrayList<>();

  @Option(
      names = {"-c", "--concurrency"},
      paramLabel = "N",
      description = "How many commands at once. Default: the number of processors.")
  private int concurrency = Runtime.getRuntime().availableProcessors();

  @Option(names = "--until-idle", description = "Stop when there is nothing to do.")
  private boolean untilIdle;

  @Option(
      names = "--due-within",
      paramLabel = "DURATION",
      description = "With --until-idle: also wait for what is due within this time. Default: 0s.")
  private Duration dueWithin = Duration.ZERO;

  @Option(
      names = "--lease",
      paramLabel = "DURATION",
      description = "After how long without a sign of life others take over. Default: 30s.")
  private Duration lease = Duration.ofSeconds(30);

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long one attempt may take. Default: no limit.")
  private @Nullable Duration timeout;

  @Option(
      names = "--retry",
      paramLabel = "N",
      description = "Give up after N attempts, even where the run allows more.")
  private int retry = Integer.MAX_VALUE;

  @Option(
      names = "--backoff",
      paramLabel = "DURATION",
      description = "The wait before the second attempt; it doubles with each. Default: 2s.")
  private Duration backoff = Duration.ofSeconds(2);

  @Option(
      names = "--backoff-cap",
      paramLabel = "DURATION",
      description = "The longest wait between attempts. Default: 5m.")
  private Duration backoffCap = Duration.ofMinutes(5);

  @Option(
      names = "--no-jitter",
      description = "Wait for the whole backoff, not for a random part of it.")
  private boolean noJitter;

  @Option(
      names = "--kill-after",
      paramLabel = "DURATION",
      description = "How long after SIGTERM a command gets SIGKILL. Default: 5s.")
  private Duration killAfter = Duration.ofSeconds(5);

  @Option(
      names = "--drain",
      paramLabel = "DURATION",
      description = "How long commands may finish when the worker is stopped. Default: 10s.")
  private Duration drain = Duration.ofSeconds(10);

  @Option(
      names = "--max-output",
      paramLabel = "BYTES",
      description = "How much a command may write to standard output. Default: ${DEFAULT-VALUE}.")
  private int maxOutput = 8 * 1024 * 1024;

  @Option(
      names = {"-q", "--quiet"},
      description = "No line per task, and no standard error of commands.")
  private boolean quiet;

  Work(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, String> commands = commands();
    check("--concurrency", concurrency >= 1, "at least 1");
    check("--retry", retry >= 1, "at least 1");
    check("--max-output", maxOutput >= 1, "at least 1");
    WorkReport report = new WorkReport(session, quiet);
    try (StopSignal stop = StopSignal.listen();
        Processes processes = Processes.open()) {
      work(commands, report, stop, processes);
      report.summary();
      session.terminal().flush();
    }
    return ExitCode.OK;
  }

  private void work(
      Map<String, String> commands, WorkReport report, StopSignal stop, Processes processes)
      throws InterruptedException {
    try (Pawl pawl = session.openOrMake()) {
      commands.forEach((type, command) ->
          pawl.register(
              Task.json(type, new ExecTask(command, options(), processes, report))
                  .retry(policy())));
      Worker worker = pawl.work(w -> w.concurrency(concurrency).lease(lease).drain(LAST_COMMITS));
      report.began(worker.id(), commands.keySet());
      IdleWatch idle = new IdleWatch(pawl, worker, commands.keySet(), dueWithin);
      stop.await(untilIdle ? idle::isIdle : () -> false);
      new Drain(worker, processes, session).run(drain, killAfter);
    }
  }

  private Map<String, String> commands() {
    Map<String, String> commands = new LinkedHashMap<>();
    for (String exec : execs) {
      int equals = exec.indexOf('=');
      if (equals < 1 || exec.substring(equals + 1).isBlank()) {
        throw CommandException.usage(
            "--exec is 'TYPE=COMMAND', such as 'mail.send.v1=./send-mail', not '" + exec + "'");
      }
      String type = exec.substring(0, equals).strip();
      checkPattern(type);
      if (commands.put(type, exec.substring(equals + 1)) != null) {
        throw CommandException.usage("--exec names '" + type + "' twice");
      }
    }
    return commands;
  }

  private static void checkPattern(String type) {
    if (Routes.isPrefix(type)) {
      Routes.prefix(type);
    } else if (type.indexOf('*') >= 0) {
      throw CommandException.usage(
          "'"
              + type
              + "' has a '*' in it; 'mail.%' is how to say: all types that begin with mail.");
    } else {
      Names.checkType(type);
    }
  }

  private static void check(String option, boolean fits, String what) {
    if (!fits) {
      throw CommandException.usage(option + " is " + what);
    }
  }

  private ExecOptions options() {
    return new ExecOptions(
        Optional.ofNullable(timeout), killAfter, maxOutput, retry, session.absoluteStoreUrl());
  }

  private Retry policy() {
    return Retry.standard()
        .initial(backoff)
        .cap(backoffCap.compareTo(backoff) < 0 ? backoff : backoffCap)
        .jitter(!noJitter);
  }
}
