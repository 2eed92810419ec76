package dev.pawl.store.sql.postgres;

import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.sql.batch.Batch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What a list of commands will ask for, as far as can be seen from outside, so that it is locked
 * and read in one go. What is overlooked is read when it is asked for.
 */
final class Wanted {
  /** A message that a mailbox may hold already, or have held. */
  record Letter(RunId run, UUID message) {}

  /** Stands for the id of a message that is in the log and no longer in the mailbox. */
  static final long RECEIVED = 0;

  /** Runs to lock, in the order of ids, and to read. */
  final TreeSet<RunId> locked = new TreeSet<>();

  /** Runs to read without a lock: the body of a transaction may take its time. */
  final Set<RunId> read = new LinkedHashSet<>();

  final Set<String> keys = new LinkedHashSet<>();
  final Set<String> types = new LinkedHashSet<>();
  final Set<Letter> letters = new LinkedHashSet<>();
  final Set<UUID> emitted = new LinkedHashSet<>();
  final Set<WaitRow> topicWaits = new LinkedHashSet<>();

  /** The claim that is all that is wanted, if so: then it can be begun with. */
  final Optional<Command.Claim> onlyClaim;

  /** Runs that need no reading: their writers know them, or only add to their logs. */
  final Map<RunId, KnownRun> remembered = new HashMap<>();

  /** Those of them whose rows may change. */
  private final Set<RunId> changing = new HashSet<>();

  private final boolean careful;
  private final boolean plain;
  private final HeldRuns held;
  private final long era;

  /**
   * Looks through the commands.
   *
   * @param era the transaction's, by {@link HeldRuns#enter}
   * @param careful whether to believe nothing that was not read under a lock
   */
  Wanted(List<Command> commands, HeldRuns held, long era, boolean careful) {
    this.careful = careful;
    this.held = held;
    this.era = era;
    this.onlyClaim =
        commands.size() == 1 && commands.get(0) instanceof Command.Claim claim && claim.max() > 0
            ? Optional.of(claim)
            : Optional.empty();
    this.plain = isPlain(commands);
    Map<RunId, List<Command.Advance>> advances = new HashMap<>();
    for (Command command : commands) {
      switch (command) {
        case Command.Start start -> start(start.run());
        case Command.Advance advance -> {
          advances.computeIfAbsent(advance.run(), id -> new ArrayList<>()).add(advance);
          follows(advance);
        }
        case Command.Transact transact -> read.add(transact.run());
        case Command.Extend extend -> extend.held().forEach(lease -> locked.add(lease.run()));
        case Command.Send send -> send(send);
        case Command.Emit emit -> emitted.add(emit.message());
        case Command.Cancel cancel -> locked.add(cancel.run());
        case Command.Rewind rewind -> locked.add(rewind.run());
        case Command.Delete delete -> locked.add(delete.run());
        case Command.Claim claim -> {}
        case Command.Configure configure -> {}
        case Command.Deploy deploy -> {}
        case Command.Purge purge -> {}
      }
    }
    advances.forEach(this::advanced);
    read.removeAll(locked);
    read.forEach(remembered::remove);
    locked.forEach(remembered::remove);
  }

  private static boolean isPlain(List<Command> commands) {
    for (Command one : commands) {
      if (!(one instanceof Command.Start || one instanceof Command.Advance)) {
        return false;
      }
    }
    return true;
  }

  long era() {
    return era;
  }

  boolean emits() {
    return !emitted.isEmpty();
  }

  /**
   * Whether everything can be decided on what is known here, and the database be asked as it is
   * written.
   */
  boolean isKnown() {
    return plain
        && !careful
        && locked.isEmpty()
        && read.isEmpty()
        && keys.isEmpty()
        && letters.isEmpty()
        && emitted.isEmpty()
        && topicWaits.isEmpty();
  }

  private void start(NewRun run) {
    types.add(run.type());
    run.key().ifPresent(keys::add);
    if (careful) {
      read.add(run.id());
    }
  }

  private void send(Command.Send send) {
    locked.add(send.run());
    letters.add(new Letter(send.run(), send.message()));
  }

  private void follows(Command.Advance advance) {
    advance.children().forEach(this::start);
    advance.sends().forEach(this::send);
    advance.emits().forEach(emit -> emitted.add(emit.message()));
    if (advance.end().orElse(null) instanceof Event.Suspended suspended) {
      for (Wait wait : suspended.waits()) {
        if (wait instanceof Wait.Topic topic) {
          topicWaits.add(new WaitRow(WaitRow.TOPIC, topic.topic(), topic.after()));
        }
      }
    }
  }

  private void advanced(RunId id, List<Command.Advance> advances) {
    Command.Advance first = advances.get(0);
    if (careful) {
      locked.add(id);
      return;
    }
    boolean onlyAdds = onlyAdd(advances);
    Optional<HeldRuns.Held> known = held.find(id, first.epoch(), first.seq(), era);
    if (known.isPresent()) {
      // Whoever took the run away has written in its log: if the next place there is free, it is
      // still ours.
      HeldRuns.Held run = known.get();
      remembered.put(id, KnownRun.held(run));
      if (!onlyAdds) {
        changing.add(id);
        parent(run, advances);
      }
    } else if (onlyAdds) {
      remembered.put(id, KnownRun.presumed(id, first.epoch(), first.seq() - 1));
    } else {
      locked.add(id);
    }
  }

  private void parent(HeldRuns.Held run, List<Command.Advance> advances) {
    boolean ends =
        advances.stream().anyMatch(advance -> advance.end().orElse(null) instanceof Event.Terminal);
    if (ends && run.run().bond() != Bond.DETACHED) {
      run.run().parent().ifPresent(locked::add);
    }
  }

  private static boolean onlyAdd(List<Command.Advance> advances) {
    for (Command.Advance advance : advances) {
      if (!Batch.isCheckpoint(advance)) {
        return false;
      }
    }
    return true;
  }

  /** Every run whose row may be written: they are locked together, in the order of ids. */
  Set<RunId> toLock() {
    if (locked.isEmpty()) {
      return locked;
    }
    Set<RunId> all = new TreeSet<>(locked);
    all.addAll(changing);
    return all;
  }

  /** The runs to read, locked or not. */
  Set<RunId> toRead() {
    Set<RunId> all = new HashSet<>(locked);
    all.addAll(read);
    return all;
  }
}
