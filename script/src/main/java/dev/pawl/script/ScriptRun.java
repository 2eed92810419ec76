package dev.pawl.script;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.script.lang.Machine;
import dev.pawl.script.lang.Step;
import dev.pawl.store.Activation;
import dev.pawl.time.Millis;
import dev.pawl.work.Retry;
import dev.pawl.work.Turn;
import java.time.Instant;
import java.util.Optional;

/**
 * One run of a script in memory: a machine and the ledger of its open operations. A turn goes on as
 * far as what has come in allows, one thing after the other in the order in which they came, and
 * writes nothing; everything that was asked for and used rides in the commit that ends it. Not
 * thread-safe.
 */
final class ScriptRun {
  private final Machine machine;
  private final Ledger ledger;
  private final TurnHost host;
  private final boolean cleanup;
  private final Retry retry;
  private Optional<String> cancelled = Optional.empty();
  private long parkedSeq;
  private long parkedEpoch;
  private int weight;

  /**
   * A run that stands where the machine does.
   *
   * @param cleanup whether the script might want to do something about a cancellation
   */
  ScriptRun(Machine machine, Ledger ledger, TurnHost host, boolean cleanup, Retry retry) {
    this.machine = machine;
    this.ledger = ledger;
    this.host = host;
    this.cleanup = cleanup;
    this.retry = retry;
  }

  /** Whether the run, claimed anew, stands where this was left: nothing came into its log since. */
  boolean continuesAt(Activation activation) {
    return activation.seq() == parkedSeq + 1 && activation.run().epoch() == parkedEpoch + 1;
  }

  /** The size of what it last saved, in bytes. */
  int weight() {
    return weight;
  }

  /** Carries out a turn. */
  Event.TurnEnd proceed(Turn turn, Resumption from) {
    Instant now = Millis.up(turn.activation().now());
    host.begin(turn);
    cancelled = turn.run().cancelling();
    Requests requests = new Requests(turn, machine, ledger, now, from);
    Answers answers = new Answers(turn, machine, ledger, now);
    answers.replay(from, requests, host);
    while (true) {
      switch (requests.goOn()) {
        case Step.Done done -> {
          return done(turn, answers, done.value());
        }
        case Step.Threw threw -> {
          return threw(turn, answers, Errors.fromScript(threw.error()));
        }
        case Step.Paused paused -> {}
        case Step.Waiting waiting -> {
          if (!answers.feed(waiting.pending())) {
            return suspended(turn, waiting);
          }
        }
      }
    }
  }

  private Optional<String> cancelled(Answers answers) {
    return cancelled.or(answers::cancelled);
  }

  private Event.TurnEnd done(Turn turn, Answers answers, String value) {
    Optional<String> reason = cancelled(answers);
    if (reason.isPresent()) {
      return new Event.Cancelled(reason.get());
    }
    try {
      return new Event.Succeeded(Json.written(value));
    } catch (PawlException e) {
      return new Event.Failed(
          Failure.of(e.code().name(), "the result cannot be stored: " + e.getMessage())
              .from(Errors.source(turn.run())));
    }
  }

  private Event.TurnEnd threw(Turn turn, Answers answers, Failure error) {
    Optional<String> reason = cancelled(answers);
    if (reason.isPresent()) {
      return new Event.Cancelled(reason.get());
    }
    Run run = turn.run();
    boolean own = !Errors.isForeign(error);
    Failure failure = own ? error.from(Errors.source(run)).atAttempt(run.attempt()) : error;
    if (own && failure.retryable() && run.attempt() < run.maxAttempts()) {
      Instant next = turn.now().plus(retry.backoff(run, turn.platform().chance()));
      return new Event.Retried(failure, next, false);
    }
    return new Event.Failed(failure);
  }

  private Event.TurnEnd suspended(Turn turn, Step.Waiting waiting) {
    Suspension suspension = Suspension.of(turn.run(), waiting, ledger);
    if (suspension.isForEver()) {
      return new Event.Failed(
          Failure.of(
                  "DEADLOCK",
                  "the script waits for something that can never happen:"
                      + " no task, timer, signal or event is left that it depends on")
              .from(Errors.source(turn.run()))
              .atAttempt(turn.run().attempt()));
    }
    byte[] snapshot = machine.snapshot();
    parkedSeq = turn.nextSeq();
    parkedEpoch = turn.run().epoch();
    weight = snapshot.length;
    host.end();
    return new Event.Suspended(
        suspension.until(),
        suspension.waits(),
        suspension.wakeAfter(),
        cleanup,
        SavedState.write(snapshot, ledger, suspension.waits()));
  }
}
