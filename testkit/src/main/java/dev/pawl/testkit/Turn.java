package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One worker's hold on one run, from its claim on: it knows the epoch and the place of the next
 * event, whether the lease still stands or not. Keep one for long enough and it is a zombie. Not
 * thread-safe.
 */
public final class Turn {
  private final StoreFixture fixture;
  private final Activation activation;
  private long nextSeq;

  Turn(StoreFixture fixture, Activation activation) {
    this.fixture = fixture;
    this.activation = activation;
    this.nextSeq = activation.seq() + 1;
  }

  public RunId id() {
    return activation.run().id();
  }

  /** The run as it was claimed. */
  public Run run() {
    return activation.run();
  }

  public Activation activation() {
    return activation;
  }

  public List<Mail> mail() {
    return activation.mail();
  }

  /** The signals the claim brought, by name. */
  public List<String> signals() {
    return mail().stream()
        .filter(Mail.Signal.class::isInstance)
        .map(mail -> ((Mail.Signal) mail).name())
        .toList();
  }

  public String worker() {
    return activation.run().lease().orElseThrow().worker();
  }

  public long epoch() {
    return activation.run().epoch();
  }

  /** Where this turn believes the next event goes. */
  public long nextSeq() {
    return nextSeq;
  }

  public Command.Held held() {
    return new Command.Held(id(), epoch());
  }

  // ---- writing ----

  /** A command that appends these events at the next place, to be added to or committed. */
  public Draft draft(Event... events) {
    return new Draft(Arrays.asList(events));
  }

  /** Appends these events; on {@link Outcome.Advanced} the next place moves behind them. */
  public Outcome write(Event... events) {
    return draft(events).commit();
  }

  /** Appends these events and insists on it. */
  public Turn must(Event... events) {
    return draft(events).must();
  }

  public Turn checkpoint(String step) {
    return must(step(step));
  }

  public void succeed() {
    succeed(Json.NULL);
  }

  public void succeed(Json result) {
    must(new Event.Succeeded(result));
  }

  public void fail(String code) {
    must(failed(code));
  }

  public void retryIn(Duration backoff) {
    must(new Event.Retried(Failure.of("OOPS", "it broke"), fixture.now().plus(backoff), false));
  }

  public void releaseFor(Duration delay) {
    must(new Event.Released("no handler", fixture.now().plus(delay)));
  }

  public void suspendUntil(Instant moment) {
    must(until(moment));
  }

  public void suspendFor(Wait... waits) {
    must(waiting(waits));
  }

  // ---- the events tests write ----

  public static Event.StepCompleted step(String name) {
    return new Event.StepCompleted(0, name, 0, 1, Json.NULL, 0);
  }

  public static Event.Failed failed(String code) {
    return new Event.Failed(Failure.of(code, "it broke"));
  }

  public static Event.Suspended until(Instant moment) {
    List<Wait> waits = List.of(new Wait.Timer(0, moment, ""));
    return new Event.Suspended(Optional.of(moment), waits, 0, false, Json.NULL);
  }

  /** Waits for the first of these. */
  public static Event.Suspended waiting(Wait... waits) {
    return waiting(1, waits);
  }

  public static Event.Suspended waiting(int wakeAfter, Wait... waits) {
    return waiting(wakeAfter, Arrays.asList(waits));
  }

  public static Event.Suspended waiting(int wakeAfter, List<Wait> waits) {
    return new Event.Suspended(Optional.empty(), waits, wakeAfter, false, Json.NULL);
  }

  /** The same wait, by a program that has something to clean up. */
  public static Event.Suspended withCleanup(Event.Suspended wait) {
    return new Event.Suspended(wait.until(), wait.waits(), wait.wakeAfter(), true, wait.snapshot());
  }

  /** The same wait, with a moment at which it ends in any case. */
  public static Event.Suspended orAt(Instant moment, Event.Suspended wait) {
    return new Event.Suspended(
        Optional.of(moment), wait.waits(), wait.wakeAfter(), wait.cleanup(), wait.snapshot());
  }

  public static Wait signal(String name) {
    return new Wait.Signal(0, name);
  }

  public static Wait topic(String name, long after) {
    return new Wait.Topic(0, name, after);
  }

  public static Wait child(RunId child) {
    return new Wait.Child(0, child);
  }

  /** An advance being put together. It knows of the messages the turn was claimed with. */
  public final class Draft {
    private final List<Event> events;
    private final List<Long> consumed = new ArrayList<>();
    private final List<NewRun> children = new ArrayList<>();
    private final List<Command.Send> sends = new ArrayList<>();
    private final List<Command.Emit> emits = new ArrayList<>();
    private long wakes = activation.run().wakes();

    private Draft(List<Event> events) {
      this.events = events;
    }

    public Draft consuming(Mail... mail) {
      return consuming(Arrays.asList(mail));
    }

    public Draft consuming(List<Mail> mail) {
      mail.forEach(message -> consumed.add(message.id()));
      return this;
    }

    public Draft starting(NewRun... runs) {
      return starting(Arrays.asList(runs));
    }

    public Draft starting(List<NewRun> runs) {
      children.addAll(runs);
      return this;
    }

    public Draft sending(Command.Send... signals) {
      sends.addAll(Arrays.asList(signals));
      return this;
    }

    public Draft emitting(Command.Emit... topicEvents) {
      emits.addAll(Arrays.asList(topicEvents));
      return this;
    }

    /** Says that the writer knows of so many accepted messages. */
    public Draft knowing(long count) {
      wakes = count;
      return this;
    }

    public Command.Advance command() {
      return new Command.Advance(
          id(), epoch(), nextSeq, wakes, events, consumed, children, sends, emits);
    }

    /** The command, for a batch in which it is sure to succeed: the next place moves on. */
    public Command.Advance planned() {
      Command.Advance command = command();
      nextSeq += events.size();
      return command;
    }

    public Outcome commit() {
      Outcome outcome = fixture.commitOne(command());
      if (outcome instanceof Outcome.Advanced) {
        nextSeq += events.size();
      }
      return outcome;
    }

    public Turn must() {
      assertThat(commit()).isInstanceOf(Outcome.Advanced.class);
      return Turn.this;
    }
  }
}
