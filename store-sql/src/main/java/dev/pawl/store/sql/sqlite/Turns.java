package dev.pawl.store.sql.sqlite;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.BodyConnection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the holder of a run writes: checkpoints, ends of turns, transactional steps. */
final class Turns {
  private final Session session;
  private final Moves moves;
  private final Runs runs;
  private final Messages messages;
  private final Starts starts;
  private final Posts posts;
  private final Instant now;

  Turns(Session session, Moves moves, Starts starts, Posts posts) {
    this.session = session;
    this.moves = moves;
    this.runs = moves.runs;
    this.messages = moves.messages;
    this.starts = starts;
    this.posts = posts;
    this.now = moves.now;
  }

  Outcome advance(Command.Advance command) throws SQLException {
    @Nullable Known known = runs.fence(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Optional<Outcome> fenced = fenced(known, command.epoch(), command.seq());
    if (fenced.isPresent()) {
      return fenced.get();
    }
    List<Runs.Line> lines = Runs.lines(known.lastSeq, now, known.epoch, command.events());
    if (isCheckpoint(command)) {
      runs.append(known, lines);
    } else {
      turn(known, command, lines);
    }
    return new Outcome.Advanced(now);
  }

  /** Whether it only adds to the log: then the run's row is neither read nor written. */
  private static boolean isCheckpoint(Command.Advance command) {
    return command.consumed().isEmpty()
        && command.children().isEmpty()
        && command.sends().isEmpty()
        && command.emits().isEmpty()
        && command.events().stream().noneMatch(Event.Lifecycle.class::isInstance);
  }

  private void turn(Known known, Command.Advance command, List<Runs.Line> lines)
      throws SQLException {
    Run after = Moves.apply(runs.row(known), lines);
    List<Starts.Draft> children = starts.children(command.children());
    messages.consume(known, new HashSet<>(command.consumed()));
    for (Starts.Draft child : children) {
      starts.write(child);
    }
    if (command.end().orElse(null) instanceof Event.Suspended suspended) {
      messages.await(known, suspended.waits());
      after = isSatisfied(after, suspended, command.wakes()) ? moves.dueNow(after) : after;
    }
    boolean waits = !after.status().isTerminal() && after.status() != Status.RUNNING;
    after = waits && moves.hasCancel(known, after) ? moves.dueNow(after) : after;
    moves.move(known, after, lines);
    for (Command.Send send : command.sends()) {
      posts.send(send);
    }
    for (Command.Emit emit : command.emits()) {
      posts.emit(emit);
    }
  }

  /** Whether what the suspended run waits for came while it was still running. */
  private boolean isSatisfied(Run run, Event.Suspended suspended, long wakesSeen)
      throws SQLException {
    return suspended.wakeAfter() > 0
        && (run.wakes() != wakesSeen || messages.hasTopicEvents(suspended.waits()));
  }

  private static Optional<Outcome> fenced(Known known, long epoch, long seq) {
    if (known.epoch != epoch) {
      return Optional.of(
          new Outcome.Fenced(
              known.id, "the lease was epoch " + epoch + ", the run is at epoch " + known.epoch));
    }
    if (known.status != Status.RUNNING) {
      return Optional.of(
          new Outcome.Fenced(known.id, "nobody holds the run, it is " + known.status.word()));
    }
    return seq == known.lastSeq + 1
        ? Optional.empty()
        : Optional.of(
            new Outcome.Fenced(
                known.id, "the write was for seq " + seq + ", the log ends at " + known.lastSeq));
  }

  Outcome transact(Command.Transact command) throws SQLException {
    @Nullable Known known = runs.fence(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Optional<Outcome> fenced = fenced(known, command.epoch(), command.seq());
    if (fenced.isPresent()) {
      return fenced.get();
    }
    session.sql("savepoint").perform();
    Outcome outcome = transact(known, command.body());
    session.sql(outcome instanceof Outcome.Transacted ? "release" : "undo").perform();
    if (!(outcome instanceof Outcome.Transacted)) {
      session.sql("release").perform();
    }
    return outcome;
  }

  private Outcome transact(Known known, Command.Transact.Body body) throws SQLException {
    Event event;
    BodyConnection shown = new BodyConnection(session.connection());
    try {
      event = body.run(shown.connection());
    } catch (Exception e) {
      return new Outcome.Threw(e);
    } finally {
      shown.close();
      // The thread is the store's: an interrupt meant for the body ends with it.
      Thread.interrupted();
    }
    List<Runs.Line> lines;
    Run after;
    try {
      lines = Runs.lines(known.lastSeq, now, known.epoch, List.of(event));
      after = Moves.apply(runs.row(known), lines);
    } catch (PawlException e) {
      return new Outcome.Broken(e);
    }
    moves.move(known, after, lines);
    return new Outcome.Transacted(lines.get(0).entry());
  }
}
