package dev.pawl.script;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Names;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.script.lang.Operation;
import dev.pawl.store.NewRun;
import dev.pawl.work.RunPolicy;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Turns {@code Task.run(name, inputs, options)} and {@code Workflow.run} into children. */
final class ChildStarts {
  private static final List<String> RETRY =
      List.of("initial", "factor", "cap", "jitter", "maxAttempts", "nonRetryable");

  private ChildStarts() {}

  /**
   * The task to start; its {@code timeout} is that of an attempt.
   *
   * @throws PawlException if the script asked for something that cannot be
   */
  static NewRun of(Turn turn, Operation.StartTask call) {
    ChildOptions options =
        ChildOptions.of("Task.run(\"" + call.name() + "\")", Json.stored(call.options()));
    return of(
        turn,
        queued(call.name(), options.text("queue")),
        call.inputs(),
        options,
        options.duration("timeout"),
        Optional.empty());
  }

  /** A queue is the front of a type's name, since that is what workers choose by. */
  private static String queued(String name, Optional<String> queue) {
    return queue
        .filter(front -> !name.startsWith(front + "."))
        .map(front -> Names.checkType(front + "." + name))
        .orElse(name);
  }

  /** The workflow to start; its {@code timeout} is that of the whole run. */
  static NewRun of(Turn turn, Operation.StartWorkflow call) {
    ChildOptions options =
        ChildOptions.of("Workflow.run(\"" + call.name() + "\")", Json.stored(call.options()));
    if (options.has("queue")) {
      throw PawlException.unsupported(
          "Workflow.run(\""
              + call.name()
              + "\") has the option `queue`: that is for Task.run. A workflow is carried out by"
              + " whoever has its definition; leave the option out, or name the type that the"
              + " other queue's workers know");
    }
    return of(
        turn, call.name(), call.inputs(), options, Optional.empty(), options.duration("timeout"));
  }

  /** The same child once more, without its key: that is taken. */
  static NewRun again(Turn turn, Run child) {
    Run parent = turn.run();
    NewRun plain = NewRun.of(new RunId(turn.platform().newId()), child.type(), child.payload());
    return new NewRun(
        plain.id(),
        plain.type(),
        plain.payload(),
        child.priority(),
        plain.at(),
        plain.delay(),
        plain.key(),
        child.maxAttempts(),
        Optional.of(new NewRun.Parent(parent.id(), parent.root(), Bond.AWAITED)),
        plain.definition(),
        child.tags(),
        child.deadline().map(at -> Duration.between(child.createdAt(), at)),
        child.ttl(),
        plain.origin());
  }

  private static NewRun of(
      Turn turn,
      String name,
      String inputs,
      ChildOptions options,
      Optional<Duration> attemptLimit,
      Optional<Duration> runLimit) {
    Run parent = turn.run();
    ChildOptions retry = options.retry(RETRY);
    RunPolicy policy =
        new RunPolicy(
            attemptLimit,
            retry.duration("initial"),
            retry.number("factor", 1),
            retry.duration("cap"),
            retry.flag("jitter"),
            retry.words("nonRetryable"));
    NewRun plain = NewRun.of(new RunId(turn.platform().newId()), name, Json.written(inputs));
    return new NewRun(
        plain.id(),
        plain.type(),
        plain.payload(),
        options.whole("priority", Integer.MIN_VALUE).orElse(plain.priority()),
        plain.at(),
        options.duration("delay").orElse(Duration.ZERO),
        options.text("key"),
        retry.whole("maxAttempts", 1).orElse(plain.maxAttempts()),
        Optional.of(new NewRun.Parent(parent.id(), parent.root(), Bond.AWAITED)),
        Optional.empty(),
        policy.tags(),
        runLimit.filter(Duration::isPositive),
        plain.ttl(),
        Optional.empty());
  }
}
