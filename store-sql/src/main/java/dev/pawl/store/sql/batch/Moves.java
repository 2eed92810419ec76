package dev.pawl.store.sql.batch;

import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Decide;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the commands of a transaction share: runs move from state to state, messages wake them, and
 * the listeners will hear of it.
 */
final class Moves {
  final Instant now;
  final Runs runs;
  final Messages messages;
  private final Set<Hint> hints = new LinkedHashSet<>();

  /** The earliest moment at which one of a type falls due because of this transaction. */
  private final Map<String, Instant> scheduled = new LinkedHashMap<>();

  Moves(Runs runs, Messages messages, Instant now) {
    this.runs = runs;
    this.messages = messages;
    this.now = now;
  }

  /** What the listeners should hear of once this is committed. */
  Set<Hint> hints() {
    scheduled.forEach((type, at) -> hints.add(new Hint.Scheduled(type, at)));
    return hints;
  }

  void hint(Hint hint) {
    hints.add(hint);
  }

  /** Appends events and writes the row they leave, with all that follows from a run's end. */
  Run transition(Known known, long epoch, List<? extends Event> events) throws SQLException {
    List<Line> lines = Line.of(known.lastSeq, now, epoch, events);
    Run after = apply(runs.row(known), lines);
    move(known, after, lines);
    return after;
  }

  static Run apply(Run run, List<Line> lines) {
    Run after = run;
    for (Line line : lines) {
      after = after.apply(line.entry());
    }
    return after;
  }

  void move(Known known, Run after, List<Line> lines) throws SQLException {
    boolean waited = runs.row(known).status() == Status.SUSPENDED;
    runs.check(after);
    runs.move(known, lines, after);
    if (waited && after.status() != Status.SUSPENDED) {
      messages.clearWaits(known);
    }
    Entry last = lines.get(lines.size() - 1).entry();
    if (last.event() instanceof Event.Terminal end) {
      if (after.wakes() > 0) {
        messages.empty(known);
      }
      tellParent(after, end);
      hints.add(new Hint.Finished(known.id));
    } else {
      hint(after);
    }
  }

  private void tellParent(Run child, Event.Terminal end) throws SQLException {
    if (child.parent().isEmpty() || child.bond() == Bond.DETACHED) {
      return;
    }
    @Nullable Known parent = runs.find(child.parent().get());
    if (parent == null || runs.row(parent).status().isTerminal()) {
      return;
    }
    Event.ChildResult result = Event.ChildResult.of(end);
    Mail mail = new Mail.ChildOutcome(messages.nextId(parent), now, child.id(), result);
    deliver(parent, mail, Decide.isUrgent(result));
  }

  /**
   * Puts a message into the mailbox of a live run, and wakes the run if it waits for such a one.
   */
  void deliver(Known known, Mail mail, boolean urgent) throws SQLException {
    messages.post(known, mail);
    Run run = runs.row(known);
    Run counted = run.change().wakes(run.wakes() + 1).run();
    if (mail instanceof Mail.Cancel && counted.status() != Status.RUNNING) {
      save(known, dueNow(counted));
    } else if (counted.isWaiting() && messages.awaits(known, mail)) {
      save(known, woken(counted, urgent));
    } else {
      runs.save(known, counted);
    }
  }

  /** Writes a row that a message has changed. */
  void save(Known known, Run after) throws SQLException {
    runs.save(known, after);
    hint(after);
  }

  /** The run with one awaited message counted. */
  Run woken(Run run, boolean urgent) {
    int left = urgent ? 0 : Math.max(0, run.wakeAfter() - 1);
    Run counted = run.change().wakeAfter(left).run();
    return left == 0 ? dueNow(counted) : counted;
  }

  Run dueNow(Run run) {
    return isDue(run) ? run : run.change().due(Optional.of(now)).run();
  }

  boolean isDue(Run run) {
    return run.due().filter(due -> !due.isAfter(now)).isPresent();
  }

  boolean hasCancel(Known known, Run run) throws SQLException {
    return run.wakes() > 0 && messages.hasCancel(known);
  }

  void hint(Run run) {
    if (run.status() != Status.RUNNING && run.due().isPresent()) {
      if (isDue(run)) {
        hints.add(new Hint.Claimable(run.type()));
      } else {
        scheduled.merge(
            run.type(), run.due().get(), (one, other) -> one.isBefore(other) ? one : other);
      }
    }
  }
}
