package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.cli.exec.ExecOptions;
import dev.pawl.cli.exec.ExecTask;
import dev.pawl.cli.exec.Processes;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.json.Json;
import dev.pawl.store.Routes;
import dev.pawl.work.Task;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code pawl run}. */
final class RunFile implements Command {
  private static final int CONCURRENCY = 16;
  private static final int MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
  private static final Duration DRAIN = Duration.ofMillis(500);
  private static final Duration KILL_AFTER = Duration.ofSeconds(5);

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "run",
            """
            Carry out a program in a file, here and now: deploy it, start a run of it, work until
            the run has ended, and print its result. What happens is told on standard error.
            Without --store or PAWL_STORE all of it is in a store that is thrown away in the end.
            """)
        .parameter("FILE", "A script, such as order.flow, or a graph, such as media.json")
        .optional("JSON", "The inputs: JSON, @FILE, or - for standard input. Default: {}")
        .repeatable(
            "--exec -x", "TYPE=COMMAND", "What to run for tasks of TYPE, as 'pawl work' does")
        .option("--mocks", "FILE", "Answers of tasks, as a JSON object: {\"TYPE\": ANSWER, …}")
        .repeatable("--with", "FILE", "Another program, which this one calls")
        .repeatable("--signal", "NAME=JSON", "A signal that is there from the beginning")
        .option("--key", "KEY", "Idempotency key: there is at most one run with it")
        .option("--wait-at-most", "DURATION", "Wait no longer than this for the run to end")
        .option(
            "--lease",
            "DURATION",
            "After how long without a sign of life others take over. Default: 30s")
        .flag("--quiet -q", "Only the result")
        .notes(
            """
            Examples:
              pawl run order.flow '{"customer":"Ada"}' --exec 'shop.charge.v1=./charge'
              pawl run order.flow @order.json --mocks answers.json
              pawl run approval.flow --mocks answers.json --signal 'decision={"yes":true}'

            In a file of mocks an answer is any JSON, or {"$error": {"code": …, "message": …}},
            {"$echo": true}, {"$result": …, "$after": SECONDS}, {"$each": [ANSWER, …]}.
            The exit code is 0 if the run succeeded, 1 if it failed, 2 if it was cancelled, 65 if the
            program has errors, 75 if it has not ended: in a store of yours any worker goes on with it.
            """);
  }

  @Override
  public int run(Session session, Arguments given) throws IOException, InterruptedException {
    List<String> names = new ArrayList<>(List.of(given.parameter("FILE")));
    names.addAll(given.values("--with"));
    ProgramFiles files = ProgramFiles.read(session, names);
    if (!files.isSound()) {
      files.complain(session, session.err());
      return ExitCode.DATA;
    }
    Plan plan = Plan.of(session, given, files);
    LiveBoard board = new LiveBoard(session);
    CommandLines lines = new CommandLines(session, board, plan.quiet());
    try (StopSignal stop = StopSignal.listen(ExitCode.TRY_AGAIN);
        RunPlace place = RunPlace.of(session);
        Pawl pawl = Pawl.open(place.url(), session.blobsUrl())) {
      if (plan.commands().isEmpty()) {
        return work(session, lines, plan, place, pawl, stop);
      }
      try (Processes processes = Processes.open()) {
        plan.commands()
            .forEach((type, command) -> {
              ExecOptions options =
                  new ExecOptions(
                      Optional.empty(),
                      KILL_AFTER,
                      MAX_OUTPUT_BYTES,
                      Integer.MAX_VALUE,
                      place.url());
              pawl.register(Task.json(type, new ExecTask(command, options, processes, lines)));
            });
        return work(session, lines, plan, place, pawl, stop);
      }
    }
  }

  private static int work(
      Session session, CommandLines lines, Plan plan, RunPlace place, Pawl pawl, StopSignal stop)
      throws InterruptedException {
    plan.mocks().forEach(pawl::register);
    Live live = Live.register(session, pawl, lines.board());
    plan.files().forEach(file -> pawl.deploy(file.definition()));
    pawl.work(w -> w.concurrency(CONCURRENCY).lease(plan.lease()).drain(DRAIN).observer(lines));
    RunHandle<Json> run =
        pawl.start(
            plan.files().getFirst().definition().type(),
            plan.inputs(),
            options -> plan.key().map(options::key).orElse(options));
    plan.signals().forEach((name, value) -> pawl.signal(run.id(), name, value));
    RunProgress progress =
        new RunProgress(
            session, pawl, run.id(), plan.handled(pawl), live, place.isTemporary(), plan.quiet());
    if (!progress.follow(plan.limit(), stop)) {
      session.note("run " + run.id() + " has not ended");
      return ExitCode.TRY_AGAIN;
    }
    return Ending.tell(session, run.run(), run.isNew());
  }

  /** What was asked for. */
  private record Plan(
      List<ProgramFiles.Sound> files,
      Json inputs,
      Map<String, String> commands,
      List<Task<Json, Json>> mocks,
      Map<String, Json> signals,
      Optional<String> key,
      Optional<Duration> limit,
      Duration lease,
      boolean quiet) {

    static Plan of(Session session, Arguments given, ProgramFiles files) {
      Optional<Json> mocks =
          given
              .value("--mocks")
              .map(file -> Input.parse("the file of mocks", Input.text(session, "@" + file)));
      return new Plan(
          files.sound(),
          given.optional("JSON").isPresent()
              ? Input.json(session, "the inputs", given.optional("JSON"))
              : Json.EMPTY_OBJECT,
          Execs.parse(given.values("--exec")),
          mocks.map(Mocks::of).orElse(List.of()),
          signals(given.values("--signal")),
          given.value("--key"),
          given.duration("--wait-at-most"),
          given.duration("--lease").orElse(Duration.ofSeconds(30)),
          given.has("--quiet") || session.isJson());
    }

    private static Map<String, Json> signals(List<String> given) {
      Map<String, Json> signals = new LinkedHashMap<>();
      for (String signal : given) {
        int equals = signal.indexOf('=');
        if (equals < 1) {
          throw CommandException.usage("--signal is NAME=JSON, not '" + signal + "'");
        }
        String name = signal.substring(0, equals);
        signals.put(name, Input.parse("the signal " + name, signal.substring(equals + 1)));
      }
      return signals;
    }

    /** The types that something here carries out. */
    Routes handled(Pawl pawl) {
      List<String> patterns = new ArrayList<>(commands.keySet());
      mocks.forEach(mock -> patterns.add(mock.type()));
      patterns.addAll(pawl.store().definedTypes());
      return Routes.of(patterns.toArray(String[]::new));
    }
  }
}
