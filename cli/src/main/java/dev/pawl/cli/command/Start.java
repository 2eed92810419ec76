package dev.pawl.cli.command;

import dev.pawl.IfExists;
import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.StartOptions;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.CommandException;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.TimeInput;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Names;
import dev.pawl.log.Run;
import dev.pawl.store.NewRun;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "start",
    description = {
      "Record a run of TYPE. It is carried out by a worker, now or whenever one comes.",
      "Prints the run's id; with --wait, the run's result instead."
    },
    footer = {
      "",
      "Examples:",
      "  pawl start mail.send.v1 '{\"to\":\"ada@example.org\"}'",
      "  pawl start shop.checkout.v1 @order.json --key order-17 --wait",
      "  jq -c '.[]' orders.json | pawl start shop.checkout.v1 --lines - --key-field id",
      "  pawl start report.daily.v1 --at 06:00 --tag team=billing",
      "",
      "With --wait the exit code is 0 if the run succeeded, 1 if it failed, 2 if it was",
      "cancelled, 75 if it has not ended in time; it goes on in that case."
    })
final class Start implements Callable<Integer> {
  private static final int SHARED_COMMIT = 1000;

  private final Session session;

  @Parameters(index = "0", paramLabel = "TYPE", description = "Such as shop.checkout.v1.")
  private String type = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "JSON",
      description = "The payload: JSON, @FILE, or - for standard input. Default: null.")
  private Optional<String> payload = Optional.empty();

  @Option(
      names = "--lines",
      paramLabel = "FILE",
      description =
          "Start one run for each line of FILE (- is standard input), each line a payload.")
  private Optional<String> lines = Optional.empty();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Idempotency key: there is at most one run with it.")
  private Optional<String> key = Optional.empty();

  @Option(
      names = "--key-field",
      paramLabel = "NAME",
      description = "Take the key from this member of the payload.")
  private Optional<String> keyField = Optional.empty();

  @Option(
      names = "--if-exists",
      paramLabel = "WHAT",
      description = "If the key is taken: attach (default), reject, or retry it if it failed.")
  private String ifExists = "attach";

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "Lower goes first. Default: ${DEFAULT-VALUE}.")
  private int priority = NewRun.DEFAULT_PRIORITY;

  @Option(names = "--delay", paramLabel = "DURATION", description = "Not before 90s, 1h30m, 2d …")
  private @Nullable Duration delay;

  @Option(
      names = "--at",
      paramLabel = "MOMENT",
      description = "Not before 2026-11-16T09:00:00Z, 2026-11-16T09:00 (local), 09:00.")
  private Optional<String> at = Optional.empty();

  @Option(
      names = "--max-attempts",
      paramLabel = "N",
      description = "How often it is tried in all. Default: 3.")
  private @Nullable Integer maxAttempts;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long the run may take in all, waiting included.")
  private @Nullable Duration timeout;

  @Option(names = "--tag", paramLabel = "NAME=VALUE", description = "A tag; may be repeated.")
  private Map<String, String> tags = new LinkedHashMap<>();

  @Option(names = "--wait", description = "Wait until the run has ended, and print its result.")
  private boolean wait;

  @Option(
      names = "--wait-at-most",
      paramLabel = "DURATION",
      description = "As --wait, but no longer than this.")
  private @Nullable Duration waitAtMost;

  Start(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    Names.checkType(type);
    StartOptions options = options();
    if (lines.isPresent()) {
      return startAll(lines.get(), options);
    }
    Json value = payload.map(text -> Input.json(session, "the payload", text)).orElse(Json.NULL);
    StartOptions keyed = withKey(value, options);
    try (Pawl pawl = session.openOrMake()) {
      RunHandle<Json> handle = start(pawl, value, keyed);
      return wait || waitAtMost != null ? await(pawl, handle) : started(handle);
    }
  }

  private StartOptions options() {
    StartOptions options = StartOptions.DEFAULTS.priority(priority).ifExists(policy());
    if (delay != null && at.isPresent()) {
      throw CommandException.usage("--delay and --at exclude each other");
    }
    if (delay != null) {
      options = options.delay(delay);
    }
    if (at.isPresent()) {
      options = options.at(TimeInput.moment(at.get(), Instant.now(), ZoneId.systemDefault()));
    }
    if (maxAttempts != null) {
      options = options.maxAttempts(maxAttempts);
    }
    if (timeout != null) {
      options = options.maxDuration(timeout);
    }
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      options = options.tag(tag.getKey(), tag.getValue());
    }
    return key.isPresent() ? options.key(key.get()) : options;
  }

  private IfExists policy() {
    return switch (ifExists) {
      case "attach" -> IfExists.ATTACH;
      case "reject" -> IfExists.REJECT;
      case "retry" -> IfExists.RETRY_IF_FAILED;
      default ->
          throw CommandException.usage(
              "--if-exists is attach, reject or retry, not '" + ifExists + "'");
    };
  }

  private StartOptions withKey(Json value, StartOptions options) {
    if (keyField.isEmpty()) {
      return options;
    }
    Json found = value.member(keyField.get());
    if (found.isNull()) {
      throw CommandException.badData(
          "the payload has no member '" + keyField.get() + "' to take the key from");
    }
    boolean isText = found.text().startsWith("\"");
    String text = isText ? JsonCodec.decode(found, String.class) : found.text();
    return options.key(text == null ? "" : text);
  }

  private RunHandle<Json> start(Pawl pawl, Json value, StartOptions options) {
    try {
      return pawl.start(type, value, defaults -> options);
    } catch (PawlException e) {
      throw e.code() == ErrorCode.CONFLICT
          ? CommandException.taken(String.valueOf(e.getMessage()))
          : e;
    }
  }

  private int started(RunHandle<Json> handle) {
    if (session.isJson()) {
      session.print(RunJson.summary(handle.run()).put("created", handle.isNew()));
    } else {
      session.out().println(handle.id());
      tellIfThere(handle);
    }
    return ExitCode.OK;
  }

  private void tellIfThere(RunHandle<Json> handle) {
    if (!handle.isNew()) {
      session.note("a run with this key is there already; it is " + handle.run().status().word());
    }
  }

  private int await(Pawl pawl, RunHandle<Json> handle) {
    try {
      if (waitAtMost == null) {
        handle.result();
      } else {
        handle.result(waitAtMost);
      }
    } catch (FailedException e) {
      if (!handle.run().status().isTerminal()) {
        throw e;
      }
    }
    return ended(pawl.get(handle.id()), handle.isNew());
  }

  private int ended(Run run, boolean created) {
    if (session.isJson()) {
      session.print(RunJson.whole(run).put("created", created));
    } else {
      run.result().ifPresent(result -> session.out().println(result.text()));
      String took =
          TimeText.span(
              Duration.between(run.createdAt(), run.finishedAt().orElse(run.updatedAt())));
      String error = run.lastError().map(failure -> ": " + Gist.summary(failure)).orElse("");
      session.note(
          "run "
              + run.id()
              + " "
              + run.status().word()
              + " after "
              + took
              + (run.result().isPresent() ? "" : error));
    }
    return switch (run.status()) {
      case FAILED -> ExitCode.FAILED;
      case CANCELLED -> ExitCode.CANCELLED;
      default -> ExitCode.OK;
    };
  }

  // ---- many ----

  private int startAll(String source, StartOptions options) {
    if (payload.isPresent() || key.isPresent() || wait || waitAtMost != null) {
      throw CommandException.usage("--lines excludes a JSON argument, --key and --wait");
    }
    List<Json> values = readLines(source);
    values.forEach(value -> withKey(value, options));
    int fresh = 0;
    try (Pawl pawl = session.openOrMake()) {
      for (int from = 0; from < values.size(); from += SHARED_COMMIT) {
        List<Json> some = values.subList(from, Math.min(from + SHARED_COMMIT, values.size()));
        for (RunHandle<Json> handle :
            pawl.startAll(
                Task.json(type, (context, value) -> value),
                some,
                (value, defaults) -> withKey(value, options))) {
          fresh += handle.isNew() ? 1 : 0;
          print(handle);
        }
      }
    }
    session.note(fresh + " started, " + (values.size() - fresh) + " were there already");
    return ExitCode.OK;
  }

  private void print(RunHandle<Json> handle) {
    if (session.isJson()) {
      session.print(
          new dev.pawl.cli.json.JsonLine()
              .put("id", handle.id().toString())
              .put("type", type)
              .put("created", handle.isNew()));
    } else {
      session.out().println(handle.id());
    }
  }

  /** All lines are read and checked before the first run is recorded. */
  private List<Json> readLines(String source) {
    String text = Input.text(session, source.equals("-") ? source : "@" + source);
    List<Json> values = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.isBlank()) {
        values.add(Input.parse("line " + number, line));
      }
    }
    return values;
  }
}
