package dev.pawl.commit;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds out from the store what came of a command whose commit ended unknown. */
final class ReadBack {
  private static final int PAGE = 500;

  private ReadBack() {}

  /**
   * The outcome if the command took effect, or can no longer do so; empty if it left no trace, or
   * if carrying it out again does no harm.
   */
  static Optional<Outcome> outcome(Store store, Command command) {
    return switch (command) {
      case Command.Start start -> started(store, start);
      case Command.Claim claim -> claimed(store, claim);
      case Command.Advance advance -> advanced(store, advance);
      case Command.Transact transact -> transacted(store, transact);
      case Command.Send send -> sent(store, send);
      case Command.Emit emit ->
          store.emitted(emit.message()).map(event -> new Outcome.Emitted(event.id(), 0));
      case Command.Cancel cancel -> cancelled(store, cancel);
      case Command.Rewind rewind -> rewound(store, rewind);
      case Command.Extend extend -> Optional.empty();
      case Command.Deploy deploy -> Optional.empty();
      case Command.Configure configure -> Optional.empty();
      case Command.Delete delete -> Optional.empty();
      case Command.Purge purge -> Optional.empty();
    };
  }

  private static Optional<Outcome> started(Store store, Command.Start start) {
    Optional<Run> run = store.run(start.run().id());
    if (run.isEmpty()) {
      return Optional.empty();
    }
    Optional<Activation> activation = start.claimant().flatMap(by -> leased(store, run.get(), by));
    return Optional.of(new Outcome.Started(run.get(), activation));
  }

  /** A claim that left no lease behind is as if it had never been made: it is made again. */
  private static Optional<Outcome> claimed(Store store, Command.Claim claim) {
    List<Activation> leased = leased(store, claim.claimant());
    Map<RunId, Outcome> onward = new HashMap<>();
    for (Command.Advance advance : claim.onward().handedIn()) {
      entryAt(store, advance.run(), advance.seq() - 1)
          .filter(entry -> isLease(entry, claim.claimant()))
          .flatMap(entry -> advanced(store, advance))
          .ifPresent(came -> onward.put(advance.run(), came));
    }
    return leased.isEmpty() && onward.isEmpty()
        ? Optional.empty()
        : Optional.of(new Outcome.Claimed(leased, Optional.empty(), onward));
  }

  private static List<Activation> leased(Store store, Command.Claimant by) {
    List<Activation> activations = new ArrayList<>();
    Query held =
        Query.all().withStatus(Status.RUNNING).withWorker(by.worker()).withLimit(Query.MAX_LIMIT);
    for (List<Run> page = store.list(held); !page.isEmpty(); ) {
      for (Run run : page) {
        leased(store, run, by).ifPresent(activations::add);
      }
      page = store.list(held.withAfter(page.get(page.size() - 1).id()));
    }
    return activations;
  }

  /** The run as leased by this very claim, if it was and nothing has happened since. */
  private static Optional<Activation> leased(Store store, Run run, Command.Claimant by) {
    return lastEntry(store, run.id())
        .filter(entry -> isLease(entry, by))
        .map(entry -> new Activation(run, entry.seq(), store.mail(run.id()), store.now()));
  }

  private static boolean isLease(Entry entry, Command.Claimant by) {
    return entry.event() instanceof Event.Leased leased
        && leased.worker().equals(by.worker())
        && leased.ticket() == by.ticket();
  }

  private static Optional<Outcome> advanced(Store store, Command.Advance advance) {
    return entryAt(store, advance.run(), advance.seq())
        .map(entry ->
            entry.epoch() == advance.epoch() && entry.event().equals(advance.events().get(0))
                ? new Outcome.Advanced(entry.at())
                : new Outcome.Fenced(advance.run(), "another write is at seq " + advance.seq()));
  }

  private static Optional<Outcome> transacted(Store store, Command.Transact transact) {
    return entryAt(store, transact.run(), transact.seq())
        .map(entry ->
            entry.epoch() == transact.epoch() && entry.event() instanceof Event.StepCompleted
                ? new Outcome.Transacted(entry)
                : new Outcome.Fenced(transact.run(), "another write is at seq " + transact.seq()));
  }

  private static Optional<Outcome> sent(Store store, Command.Send send) {
    boolean waiting =
        store.mail(send.run()).stream()
            .anyMatch(mail ->
                mail instanceof Mail.Signal signal && signal.message().equals(send.message()));
    return waiting || consumed(store, send) ? Optional.of(new Outcome.Sent()) : Optional.empty();
  }

  private static boolean consumed(Store store, Command.Send send) {
    long after = 0;
    for (List<Entry> page = store.log(send.run(), 0, PAGE);
        !page.isEmpty();
        page = store.log(send.run(), after, PAGE)) {
      for (Entry entry : page) {
        if (entry.event() instanceof Event.SignalReceived got
            && got.message().equals(send.message())) {
          return true;
        }
        after = entry.seq();
      }
    }
    return false;
  }

  private static Optional<Outcome> cancelled(Store store, Command.Cancel cancel) {
    return store
        .run(cancel.run())
        .filter(run ->
            run.status() == Status.CANCELLED
                || run.cancelling().isPresent()
                || asked(store, run.id()))
        .map(Outcome.CancelTaken::new);
  }

  private static boolean asked(Store store, RunId id) {
    return store.mail(id).stream().anyMatch(Mail.Cancel.class::isInstance);
  }

  /**
   * It was reopened by this very order; it may have been claimed, ended or reopened again since.
   */
  private static Optional<Outcome> rewound(Store store, Command.Rewind rewind) {
    return last(store, rewind.run(), entry -> rewind.isDoneBy(entry.event()))
        .flatMap(entry -> store.run(rewind.run()))
        .map(Outcome.Reopened::new);
  }

  private static Optional<Entry> entryAt(Store store, RunId run, long seq) {
    return store.log(run, seq - 1, 1).stream().findFirst();
  }

  private static Optional<Entry> lastEntry(Store store, RunId run) {
    return last(store, run, entry -> true);
  }

  /** The last entry of a log that is of a sort. */
  private static Optional<Entry> last(Store store, RunId run, Predicate<Entry> sort) {
    Optional<Entry> last = Optional.empty();
    for (List<Entry> page = store.log(run, 0, PAGE); !page.isEmpty(); ) {
      for (Entry entry : page) {
        last = sort.test(entry) ? Optional.of(entry) : last;
      }
      page = store.log(run, page.get(page.size() - 1).seq(), PAGE);
    }
    return last;
  }
}
