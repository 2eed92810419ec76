package dev.pawl.store.sql.batch;

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
  private final Tables tables;
  private final Moves moves;
  private final Runs runs;
  private final Messages messages;
  private final Starts starts;
  private final Posts posts;
  private final Instant now;

  Turns(Tables tables, Moves moves, Starts starts, Posts posts) {
    this.tables = tables;
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
    List<Line> lines = Line.of(known.lastSeq, now, known.epoch, command.events());
    if (Batch.isCheckpoint(command)) {
      runs.append(known, lines);
    } else {
      turn(known, command, lines);
    }
    return new Outcome.Advanced(now);
  }

  private void turn(Known known, Command.Advance command, List<Line> lines) throws SQLException {
    Run after = Moves.apply(runs.row(known), lines);
    runs.check(after);
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
    tables.savepoint();
    Outcome outcome = transact(known, command.body());
    if (!(outcome instanceof Outcome.Transacted)) {
      tables.undo();
    }
    return outcome;
  }

  private Outcome transact(Known known, Command.Transact.Body body) throws SQLException {
    Event event;
    try {
      event = run(body);
    } catch (Exception e) {
      return new Outcome.Threw(e);
    }
    List<Line> lines;
    Run after;
    try {
      lines = Line.of(known.lastSeq, now, known.epoch, List.of(event));
      after = Moves.apply(runs.row(known), lines);
    } catch (PawlException e) {
      return new Outcome.Broken(e);
    }
    try {
      tables.release();
    } catch (SQLException e) {
      return new Outcome.Threw(e);
    }
    moves.move(known, after, lines);
    return new Outcome.Transacted(lines.get(0).entry());
  }

  private Event run(Command.Transact.Body body) throws Exception {
    try (BodyConnection shown = new BodyConnection(tables.connection())) {
      return body.run(shown.connection());
    } finally {
      // An interrupt meant for the body ends with it.
      Thread.interrupted();
    }
  }
}
