package dev.pawl.cli.command;

import dev.pawl.IfExists;
import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.StartOptions;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.TimeInput;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Names;
import dev.pawl.store.NewRun;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code pawl start}. */
final class Start implements Command {
  /** How many runs of {@code --lines} are handed to the engine at once. */
  private static final int TOGETHER = 1000;

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "start",
            """
            Record a run of TYPE. It is carried out by a worker, now or whenever one comes.
            Prints the run's id; with --wait, the run's result instead.
            """)
        .parameter("TYPE", "Such as shop.checkout.v1")
        .optional("JSON", "The payload: " + JSON_HELP)
        .option("--key", "KEY", "Idempotency key: there is at most one run with it")
        .option("--key-field", "NAME", "Take the key from this member of the payload")
        .option(
            "--if-exists",
            "WHAT",
            "If the key is taken: attach (default), reject, or retry it if failed")
        .option("--priority", "N", "Lower goes first. Default: " + NewRun.DEFAULT_PRIORITY)
        .option("--delay", "DURATION", "Not before 90s, 1h30m, 2d have passed")
        .option(
            "--at", "MOMENT", "Not before 2026-11-16T09:00:00Z, 2026-11-16T09:00 (local) or 09:00")
        .option("--max-attempts", "N", "How often it is tried in all. Default: 3")
        .option("--timeout", "DURATION", "How long the run may take in all, waiting included")
        .option("--ttl", "DURATION", "Remove the run for good when it has been ended for this long")
        .repeatable("--tag", "NAME=VALUE", "A tag; may be repeated")
        .flag("--wait", "Wait until the run has ended, and print its result")
        .option("--wait-at-most", "DURATION", "As --wait, but no longer than this")
        .option(
            "--lines",
            "FILE",
            "One run for each line of FILE (- is standard input), each a payload")
        .notes(
            """
            Examples:
              pawl start mail.send.v1 '{"to":"ada@example.org"}'
              pawl start shop.checkout.v1 @order.json --key order-17 --wait
              pawl start report.daily.v1 --at 06:00 --tag team=billing --ttl 7d
              jq -c '.[]' orders.json | pawl start shop.checkout.v1 --lines - --key-field id

            With --wait the exit code is 0 if the run succeeded, 1 if it failed, 2 if it was
            cancelled, 75 if it has not ended in time; it goes on in that case.
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String type = Names.checkType(given.parameter("TYPE"));
    StartOptions options = options(given);
    return given.has("--lines")
        ? startAll(session, given, type, options)
        : startOne(session, given, type, options);
  }

  private static StartOptions options(Arguments given) {
    if (given.has("--delay") && given.has("--at")) {
      throw CommandException.usage("--delay and --at exclude each other");
    }
    if (given.has("--key") && given.has("--key-field")) {
      throw CommandException.usage("--key and --key-field exclude each other");
    }
    StartOptions options =
        StartOptions.DEFAULTS
            .ifExists(policy(given.value("--if-exists").orElse("attach")))
            .delay(given.duration("--delay").orElse(Duration.ZERO))
            .priority(
                given
                    .number("--priority", Integer.MIN_VALUE, Integer.MAX_VALUE)
                    .orElse(NewRun.DEFAULT_PRIORITY));
    options = given.value("--key").map(options::key).orElse(options);
    options = given.value("--at").map(Start::moment).map(options::at).orElse(options);
    options =
        given
            .number("--max-attempts", 1, Integer.MAX_VALUE)
            .map(options::maxAttempts)
            .orElse(options);
    options = given.duration("--timeout").map(options::maxDuration).orElse(options);
    options = given.duration("--ttl").map(Start::ttl).map(options::ttl).orElse(options);
    for (String tag : given.values("--tag")) {
      options = tagged(options, tag);
    }
    return options;
  }

  private static Duration ttl(Duration given) {
    try {
      return NewRun.checkTtl(given);
    } catch (PawlException e) {
      throw CommandException.usage("--ttl: " + e.getMessage());
    }
  }

  private static Instant moment(String text) {
    return TimeInput.moment(text, Instant.now(), ZoneId.systemDefault());
  }

  private static StartOptions tagged(StartOptions options, String tag) {
    int equals = tag.indexOf('=');
    if (equals < 1) {
      throw CommandException.usage("--tag is NAME=VALUE, not '" + tag + "'");
    }
    return options.tag(tag.substring(0, equals), tag.substring(equals + 1));
  }

  private static IfExists policy(String word) {
    return switch (word) {
      case "attach" -> IfExists.ATTACH;
      case "reject" -> IfExists.REJECT;
      case "retry" -> IfExists.RETRY_IF_FAILED;
      default ->
          throw CommandException.usage(
              "--if-exists is attach, reject or retry, not '" + word + "'");
    };
  }

  private static StartOptions keyed(Arguments given, Json payload, StartOptions options) {
    Optional<String> field = given.value("--key-field");
    if (field.isEmpty()) {
      return options;
    }
    Json found = payload.member(field.get());
    if (found.isNull()) {
      throw CommandException.badData(
          "the payload has no member '" + field.get() + "' to take the key from");
    }
    boolean isText = found.text().startsWith("\"");
    String text = isText ? JsonCodec.decode(found, String.class) : found.text();
    return options.key(Names.check("an idempotency key", String.valueOf(text)));
  }

  // ---- one ----

  private static int startOne(Session session, Arguments given, String type, StartOptions options) {
    Json payload = Input.json(session, "the payload", given.optional("JSON"));
    StartOptions keyed = keyed(given, payload, options);
    try (Pawl pawl = session.openOrMake()) {
      RunHandle<Json> handle = start(pawl, type, payload, keyed);
      boolean wait = given.has("--wait") || given.has("--wait-at-most");
      return wait
          ? await(session, handle, given.duration("--wait-at-most"))
          : started(session, handle);
    }
  }

  private static RunHandle<Json> start(Pawl pawl, String type, Json payload, StartOptions options) {
    try {
      return pawl.start(type, payload, defaults -> options);
    } catch (PawlException e) {
      throw e.code() == ErrorCode.CONFLICT
          ? CommandException.taken(String.valueOf(e.getMessage()))
          : e;
    }
  }

  private static int started(Session session, RunHandle<Json> handle) {
    if (session.isJson()) {
      session.print(RunJson.summary(handle.run()).put("created", handle.isNew()));
      return ExitCode.OK;
    }
    session.out().println(handle.id());
    if (!handle.isNew()) {
      session.note("a run with this key is there already; it is " + handle.run().status().word());
    }
    return ExitCode.OK;
  }

  private static int await(Session session, RunHandle<Json> handle, Optional<Duration> limit) {
    try {
      if (limit.isPresent()) {
        handle.result(limit.get());
      } else {
        handle.result();
      }
    } catch (FailedException e) {
      if (!handle.run().status().isTerminal()) {
        throw e;
      }
    }
    return Ending.tell(session, handle.run(), handle.isNew());
  }

  // ---- many ----

  private static int startAll(Session session, Arguments given, String type, StartOptions options) {
    if (given.optional("JSON").isPresent()
        || given.has("--key")
        || given.has("--wait")
        || given.has("--wait-at-most")) {
      throw CommandException.usage("--lines excludes a JSON argument, --key and --wait");
    }
    List<Json> payloads = readLines(session, given.value("--lines").orElse("-"));
    payloads.forEach(payload -> keyed(given, payload, options));
    Task<Json, Json> named = Task.json(type, (context, value) -> value);
    int fresh = 0;
    try (Pawl pawl = session.openOrMake()) {
      for (int from = 0; from < payloads.size(); from += TOGETHER) {
        List<Json> some = payloads.subList(from, Math.min(from + TOGETHER, payloads.size()));
        for (RunHandle<Json> handle :
            pawl.startAll(named, some, (payload, defaults) -> keyed(given, payload, options))) {
          fresh += handle.isNew() ? 1 : 0;
          print(session, type, handle);
        }
      }
    }
    session.note(fresh + " started, " + (payloads.size() - fresh) + " were there already");
    return ExitCode.OK;
  }

  private static void print(Session session, String type, RunHandle<Json> handle) {
    if (session.isJson()) {
      session.print(
          new JsonLine()
              .put("id", handle.id().toString())
              .put("type", type)
              .put("created", handle.isNew()));
    } else {
      session.out().println(handle.id());
    }
  }

  /** All lines are read and checked before the first run is recorded. */
  private static List<Json> readLines(Session session, String source) {
    String text = Input.text(session, source.equals("-") ? source : "@" + source);
    List<Json> payloads = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.isBlank()) {
        payloads.add(Input.parse("line " + number, line));
      }
    }
    return payloads;
  }
}
