package dev.pawl.store.sql.batch;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** New runs. */
final class Starts {
  private final Moves moves;
  private final Runs runs;
  private final Messages messages;
  private final Queue queue;
  private final Instant now;

  Starts(Moves moves, Queue queue) {
    this.moves = moves;
    this.runs = moves.runs;
    this.messages = moves.messages;
    this.queue = queue;
    this.now = moves.now;
  }

  /** A run about to be written. */
  record Draft(Run run, List<Line> log) {}

  Outcome start(Command.Start command) throws SQLException {
    Draft draft = draft(command.run());
    Optional<Event.Leased> lease = leaseAtOnce(draft.run(), command.claimant());
    if (lease.isPresent()) {
      draft = leased(draft, lease.get());
    }
    @Nullable Known known = runs.insert(draft.run(), draft.log());
    if (known == null) {
      return new Outcome.AlreadyStarted(runs.row(holder(command.run())));
    }
    moves.hint(draft.run());
    Run run = draft.run();
    return new Outcome.Started(
        run, lease.map(held -> new Activation(run, known.lastSeq, List.of(), now)));
  }

  private Optional<Event.Leased> leaseAtOnce(Run run, Optional<Command.Claimant> claimant)
      throws SQLException {
    if (claimant.isEmpty()
        || !moves.isDue(run)
        || !queue.admits(run.type(), claimant.get().runtime())) {
      return Optional.empty();
    }
    return Decide.claim(run, false, claimant.get(), now) instanceof Event.Leased lease
        ? Optional.of(lease)
        : Optional.empty();
  }

  private Draft leased(Draft draft, Event.Leased lease) {
    List<Line> line = Line.of(draft.log().size(), now, lease.epoch(), List.of(lease));
    List<Line> log = new ArrayList<>(draft.log());
    log.addAll(line);
    return new Draft(draft.run().apply(line.get(0).entry()), log);
  }

  /** The run that has the id or the key already. */
  private Known holder(NewRun wanted) throws SQLException {
    @Nullable Known holder = runs.find(wanted.id());
    if (holder == null && wanted.key().isPresent()) {
      holder = runs.findByKey(wanted.key().get());
    }
    if (holder == null) {
      throw PawlException.internal(
          "run " + wanted.id() + " could not be recorded, and nothing is in its way");
    }
    return holder;
  }

  /** The children of an advance, none of them written yet. */
  List<Draft> children(List<NewRun> children) throws SQLException {
    List<Draft> drafts = new ArrayList<>();
    Set<Object> taken = new HashSet<>();
    for (NewRun child : children) {
      if (!taken.add(child.id()) || runs.isTaken(child.id())) {
        throw PawlException.conflict("the child's id " + child.id() + " is taken");
      }
      if (child.key().isPresent()
          && (!taken.add(child.key().get()) || runs.findByKey(child.key().get()) != null)) {
        throw PawlException.conflict("the child's key '" + child.key().get() + "' is taken");
      }
      drafts.add(draft(child));
    }
    return drafts;
  }

  private Draft draft(NewRun wanted) throws SQLException {
    List<Event> events = new ArrayList<>();
    events.add(wanted.created(now, messages.lastPosition()));
    wanted.origin().ifPresent(origin -> events.addAll(origin.history()));
    List<Line> log = Line.of(0, now, 0, events);
    return new Draft(Run.created(wanted.id(), log.get(0).entry()), log);
  }

  /** Writes a run whose id and key are known to be free. */
  void write(Draft draft) throws SQLException {
    runs.insert(draft.run(), draft.log());
    moves.hint(draft.run());
  }
}
