package dev.pawl.store;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Names;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Every durable change there is. */
public sealed interface Command {

  /**
   * Records a run: {@link Outcome.Started}, or {@link Outcome.AlreadyStarted} if its id or its
   * idempotency key is taken. With a claimant it is leased to it in the same breath, if it is due.
   */
  record Start(NewRun run, Optional<Claimant> claimant) implements Command {
    public Start(NewRun run) {
      this(run, Optional.empty());
    }
  }

  /**
   * Leases up to {@code max} due runs of types that {@link TypeState#admits} the claimant: lower
   * priority number first, then those already begun, then by due time. Expired leases are due like
   * anything else; a run that has lost too many fails here. Gives {@link Outcome.Claimed}.
   */
  record Claim(Claimant claimant, Routes routes, int max, Onward onward, Reach reach)
      implements Command {
    public Claim(Claimant claimant, Routes routes, int max) {
      this(claimant, routes, max, Onward.NONE);
    }

    public Claim(Claimant claimant, Routes routes, int max, Onward onward) {
      this(claimant, routes, max, onward, Reach.ALL);
    }
  }

  /** How far a claim looks. */
  enum Reach {
    /** It leases the first of all that is due. */
    ALL,

    /**
     * Of a store that has just heard which runs fell due, and of nothing else, it leases these if
     * they still are, and is told as the next due time when to look for the rest, which is soon.
     */
    NEWS
  }

  /**
   * What a claimant does with the runs that a claim is about to lease, before the lease is durable.
   * What it returns is written with the lease, in the same transaction, and {@link
   * Outcome.Claimed#onward} says what came of it.
   */
  interface Onward {
    /** Nothing: what is leased waits until the lease is durable. */
    Onward NONE = leased -> List.of();

    /**
     * Takes the runs as they will be held, and returns at most one advance of each, which {@link
     * Advance#concernsOnlyItsRun}. Called within the transaction, so it is quick and commits
     * nothing itself; and called again, with what is leased then, if the transaction has to be done
     * again.
     */
    List<Advance> goOn(List<Activation> leased);

    /** What was returned last: to find out whether it was written, if that is not known. */
    default List<Advance> handedIn() {
      return List.of();
    }
  }

  /**
   * Who claims, and in which runtime it works: a type that is registered for another is not for it.
   * The ticket grows with each claim of a worker, so that a claim can be found again.
   */
  record Claimant(String worker, String runtime, Duration lease, long ticket) {
    public Claimant(String worker, Duration lease, long ticket) {
      this(worker, TypeState.JAVA, lease, ticket);
    }
  }

  /**
   * Appends events to the log of a run the writer holds, the first of them at {@code seq}; takes
   * consumed messages out of its mailbox; starts children; sends messages; and, if the last event
   * ends the turn, changes the run accordingly. All or nothing: {@link Outcome.Advanced} or {@link
   * Outcome.Fenced}.
   *
   * @param wakes the count of accepted messages that the writer knows of: if it has grown
   *     meanwhile, a suspended run is due at once, so that no wake is lost
   */
  record Advance(
      RunId run,
      long epoch,
      long seq,
      long wakes,
      List<Event> events,
      List<Long> consumed,
      List<NewRun> children,
      List<Send> sends,
      List<Emit> emits)
      implements Command {
    public Advance {
      if (events.isEmpty()) {
        throw new IllegalArgumentException("an advance has at least one event");
      }
      for (Event event : events.subList(0, events.size() - 1)) {
        if (event instanceof Event.TurnEnd) {
          throw new IllegalArgumentException("only the last event of an advance may end the turn");
        }
      }
    }

    /** An advance of events alone. */
    public Advance(RunId run, long epoch, long seq, long wakes, List<Event> events) {
      this(run, epoch, seq, wakes, events, List.of(), List.of(), List.of(), List.of());
    }

    /** The event that ends the turn, if one does. */
    public Optional<Event.TurnEnd> end() {
      return events.get(events.size() - 1) instanceof Event.TurnEnd end
          ? Optional.of(end)
          : Optional.empty();
    }

    /**
     * Whether it is about its own run alone, and about its parent if it ends: whatever else it
     * would need, other runs or the stream of topic events, nobody has to lock for it.
     */
    public boolean concernsOnlyItsRun() {
      return children.isEmpty()
          && sends.isEmpty()
          && emits.isEmpty()
          && !(end().orElse(null) instanceof Event.Suspended suspended
              && suspended.waits().stream().anyMatch(Wait.Topic.class::isInstance));
    }

    public Advance withEvents(List<Event> events) {
      return new Advance(run, epoch, seq, wakes, events, consumed, children, sends, emits);
    }

    public Advance withConsumed(List<Long> consumed) {
      return new Advance(run, epoch, seq, wakes, events, consumed, children, sends, emits);
    }
  }

  /**
   * Runs the body inside the transaction, with the store's own resource, and appends the event it
   * returns at {@code seq}: the body's writes and the event are durable together or not at all.
   * {@link Outcome.Transacted}, {@link Outcome.Fenced} (the body did not run) or {@link
   * Outcome.Threw} (its writes are undone).
   */
  record Transact(RunId run, long epoch, long seq, Body body) implements Command {
    /** What to do with the resource. May be called again if a first try was undone. */
    @FunctionalInterface
    public interface Body {
      Event run(Object resource) throws Exception;
    }
  }

  /**
   * Renews leases, and tells which are lost and which runs were asked to cancel: {@link
   * Outcome.Extended}.
   */
  record Extend(String worker, List<Held> held, Duration lease) implements Command {}

  /** A lease somebody holds, or believes to. */
  record Held(RunId run, long epoch) {}

  /**
   * Puts a signal into a run's mailbox: {@link Outcome.Sent}, {@link Outcome.Missing}, {@link
   * Outcome.Refused} if it has ended. One with the same message id that lies there, or that the run
   * has on record as received, is the same signal: then nothing changes. A rewind forgets none of
   * them; a fork knows none.
   */
  record Send(RunId run, UUID message, String name, Json value) implements Command {
    public Send {
      Names.check("a signal's name", name);
    }
  }

  /** Appends an event to a topic and wakes the runs that wait on it: {@link Outcome.Emitted}. */
  record Emit(UUID message, String topic, Json value) implements Command {
    public Emit {
      Names.check("a topic", topic);
    }
  }

  /**
   * Cancels a run and the children it awaits. One that has not begun, or has nothing to clean up,
   * ends at once, and so does any if forced; another finds the request in its mailbox. {@link
   * Outcome.CancelTaken}, {@link Outcome.Missing}, {@link Outcome.Refused} if it has ended.
   */
  record Cancel(RunId run, String reason, boolean force) implements Command {}

  /**
   * Reopens a run: of its checkpoints those up to {@code keep} count. A {@code retry} asks for a
   * failed or cancelled run, a {@code rewind} takes any. {@link Outcome.Reopened}, {@link
   * Outcome.Missing} or {@link Outcome.Refused}. A second one of the same order changes nothing.
   *
   * @param order tells it from any other, so that it can be found again
   */
  record Rewind(RunId run, UUID order, String how, long keep, String reason) implements Command {
    /** Whether this is what it has left in the log. */
    public boolean isDoneBy(Event event) {
      return event instanceof Event.Rewound done && done.order().equals(Optional.of(order));
    }

    /** What it leaves in the log. */
    public Event.Rewound event(Instant now) {
      return new Event.Rewound(how, keep, now, reason, Optional.of(order));
    }
  }

  /**
   * Keeps a definition, and makes it the newest of its type, also if it was there before: {@link
   * Outcome.Deployed}.
   */
  record Deploy(Definition definition) implements Command {}

  /** Sets what is known of a type, and whether it may be claimed: {@link Outcome.Done}. */
  record Configure(TypeState type) implements Command {}

  /**
   * Hides a finished run; it is removed when its time is over. {@link Outcome.Done}, {@link
   * Outcome.Missing}, {@link Outcome.Refused}.
   */
  record Delete(RunId run) implements Command {}

  /**
   * Removes for good what was deleted, and the topic events emitted, longer ago than this; and the
   * runs whose {@link dev.pawl.log.Run#expiry} has come, deleted or not. At most {@code max} runs
   * in all, chosen by {@link Decide#purgeable}: {@link Outcome.Purged}.
   */
  record Purge(Duration deletedFor, Duration emittedFor, int max) implements Command {}
}
