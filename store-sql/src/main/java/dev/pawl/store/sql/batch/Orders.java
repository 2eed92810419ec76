package dev.pawl.store.sql.batch;

import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What operators ask for: cancelling, reopening, pausing, removing. */
final class Orders {
  private final Tables tables;
  private final Moves moves;
  private final Runs runs;
  private final Messages messages;
  private final Instant now;

  Orders(Tables tables, Moves moves) {
    this.tables = tables;
    this.moves = moves;
    this.runs = moves.runs;
    this.messages = moves.messages;
    this.now = moves.now;
  }

  Outcome cancel(Command.Cancel command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    if (runs.row(known).status().isTerminal()) {
      return Posts.ended(runs.row(known));
    }
    cancelTree(known.id, command.reason(), command.force());
    return new Outcome.CancelTaken(runs.row(known));
  }

  /**
   * Cancels a run, then the children it awaits, each with its own before the next. A tree may be
   * deeper than the stack.
   */
  private void cancelTree(RunId top, String reason, boolean force) throws SQLException {
    Deque<RunId> todo = new ArrayDeque<>();
    todo.push(top);
    while (!todo.isEmpty()) {
      Known known = runs.get(todo.pop());
      Run run = runs.row(known);
      switch (Decide.cancel(run, force)) {
        case END -> moves.transition(known, run.epoch(), List.of(new Event.Cancelled(reason)));
        case ASK -> ask(known, reason);
        case REFUSE -> {
          continue;
        }
      }
      List<RunId> children = runs.awaitedChildren(known.id);
      children.reversed().forEach(todo::push);
    }
  }

  private void ask(Known known, String reason) throws SQLException {
    Run run = runs.row(known);
    if (!moves.hasCancel(known, run) && run.cancelling().isEmpty()) {
      moves.deliver(known, new Mail.Cancel(messages.nextId(known), now, reason), true);
    }
  }

  Outcome rewind(Command.Rewind command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Run run = runs.row(known);
    if (runs.isRewound(known, command)) {
      return new Outcome.Reopened(run);
    }
    Optional<String> refusal = Decide.whyNotRewind(run, command.how());
    if (refusal.isPresent()) {
      return new Outcome.Refused(run, refusal.get());
    }
    List<Event> events = List.of(command.event(now));
    return new Outcome.Reopened(moves.transition(known, run.epoch(), events));
  }

  Outcome configure(Command.Configure command) throws SQLException {
    tables.put(command.type());
    moves.hint(new Hint.Claimable(command.type().type()));
    return new Outcome.Done();
  }

  Outcome deploy(Command.Deploy command) throws SQLException {
    return new Outcome.Deployed(tables.deploy(command.definition()));
  }

  Outcome delete(Command.Delete command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Run run = runs.row(known);
    if (!run.status().isTerminal()) {
      return new Outcome.Refused(run, "it is " + run.status().word() + "; cancel it first");
    }
    if (run.deletedAt().isEmpty()) {
      runs.hide(known, run.change().deletedAt(Optional.of(now)).run());
    }
    return new Outcome.Done();
  }

  Outcome purge(Command.Purge command) throws SQLException {
    Instant deletedBefore = before(command.deletedFor());
    Instant emittedBefore = before(command.emittedFor());
    int gone = runs.purgeDeleted(deletedBefore, command.max());
    gone += runs.purgeExpired(now, command.max() - gone);
    return new Outcome.Purged(gone, messages.purgeTopics(emittedBefore));
  }

  /** A moment so long ago, or the earliest that can be stored. */
  private Instant before(Duration ago) {
    Duration longest = Duration.between(Instant.EPOCH, now);
    return now.minus(ago.compareTo(longest) > 0 ? longest : ago);
  }
}
