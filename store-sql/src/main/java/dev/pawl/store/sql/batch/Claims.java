package dev.pawl.store.sql.batch;

import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Leases: taking and renewing them. */
final class Claims {
  private final Moves moves;
  private final Runs runs;
  private final Messages messages;
  private final Queue queue;
  private final Instant now;

  Claims(Moves moves, Queue queue) {
    this.moves = moves;
    this.runs = moves.runs;
    this.messages = moves.messages;
    this.queue = queue;
    this.now = moves.now;
  }

  Outcome.Claimed claim(Command.Claim command) throws SQLException {
    List<Activation> activations = new ArrayList<>();
    Set<RunId> passed = new HashSet<>();
    boolean more = true;
    while (more && activations.size() < command.max()) {
      more = claimSome(command, activations, passed);
    }
    Optional<Instant> later =
        activations.size() < command.max()
            ? queue.later(command.routes(), command.claimant().runtime())
            : Optional.empty();
    return new Outcome.Claimed(activations, later, Map.of(), queue.sawAll());
  }

  /**
   * Leases what one scan finds; returns whether another could find more, because a run ended here
   * instead.
   */
  private boolean claimSome(Command.Claim command, List<Activation> activations, Set<RunId> passed)
      throws SQLException {
    boolean more = false;
    int wanted = command.max() - activations.size() + passed.size();
    for (Known known : queue.due(command.routes(), command.claimant().runtime(), wanted)) {
      if (activations.size() == command.max() || !passed.add(known.id)) {
        continue;
      }
      Optional<Activation> activation = lease(known, command.claimant());
      activation.ifPresent(activations::add);
      if (activation.isEmpty()) {
        more = true;
        if (runs.row(known).parent().isPresent()) {
          // Its end may have woken its parent, whose place could be before what is left of this
          // scan.
          return true;
        }
      }
    }
    return more;
  }

  private Optional<Activation> lease(Known known, Command.Claimant by) throws SQLException {
    Run run = runs.row(known);
    boolean progressed = run.status() == Status.RUNNING && runs.progressed(known);
    Event.Lifecycle decision = Decide.claim(run, progressed, by, now);
    if (!(decision instanceof Event.Leased leased)) {
      moves.transition(known, run.epoch(), List.of(decision));
      return Optional.empty();
    }
    boolean waited = run.status() == Status.SUSPENDED;
    List<Mail> mail = messages.forClaim(known, run.wakes() > 0, waited);
    Run held = moves.transition(known, leased.epoch(), List.of(leased));
    return Optional.of(new Activation(held, known.lastSeq, mail, now));
  }

  Outcome extend(Command.Extend command) throws SQLException {
    Set<RunId> lost = new HashSet<>();
    Set<RunId> cancelled = new HashSet<>();
    for (Command.Held held : command.held()) {
      @Nullable Known known = runs.find(held.run());
      if (known == null
          || known.epoch != held.epoch()
          || runs.row(known).status() != Status.RUNNING) {
        lost.add(held.run());
        continue;
      }
      Run run = runs.row(known);
      Optional<Instant> until = Optional.of(now.plus(command.lease()));
      Optional<Run.Lease> lease = until.map(end -> new Run.Lease(command.worker(), end));
      runs.save(known, run.change().due(until).lease(lease).run());
      if (moves.hasCancel(known, run)) {
        cancelled.add(known.id);
      }
    }
    return new Outcome.Extended(lost, cancelled);
  }
}
