package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Routes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A claim made as its transaction begins, in the same round: for one that is all there is to do, as
 * it is for a worker that has just been told of something. Used by one thread.
 */
final class ClaimAhead {
  private final Command.Claim claim;
  private final List<KnownRun> due = new ArrayList<>();
  private final List<Letters.Addressed> mail = new ArrayList<>();
  private final Found found = new Found();
  private Optional<Instant> later = Optional.empty();

  private ClaimAhead(Command.Claim claim) {
    this.claim = claim;
  }

  /**
   * Adds the statements.
   *
   * @param clock the time, if it is not the database's
   */
  static ClaimAhead add(Session.Round round, Command.Claim claim, Optional<Instant> clock) {
    ClaimAhead ahead = new ClaimAhead(claim);
    Instant given = clock.orElse(null);
    int candidates = claim.max() + UnitQueue.SPARE;
    round.query(
        "find-due",
        to ->
            to.texts(claim.routes().prefixes())
                .texts(claim.routes().types())
                .text(claim.claimant().runtime())
                .moment(given)
                .number(candidates)
                .number(candidates)
                .moment(given),
        cells -> ahead.later = cells.optionalInstant());
    round.query(
        "claim-found",
        to -> to.moment(given).number(claim.max()),
        cells -> ahead.due.add(UnitQueue.claimed(cells)));
    round.query("read-candidates-mail", none -> {}, cells -> ahead.mail.add(Letters.read(cells)));
    ahead.found.addCandidatesWaits(round);
    return ahead;
  }

  boolean isFor(Routes routes, String runtime, int max) {
    return claim.routes().equals(routes)
        && claim.claimant().runtime().equals(runtime)
        && claim.max() == max;
  }

  /** What was due, locked, with its rows. */
  List<KnownRun> due() {
    return due;
  }

  /** Gives the runs their mail, and what they wait for: it was read when they had been locked. */
  void deliver(Map<RunId, KnownRun> runs) {
    runs.values().forEach(run -> run.mail = new ArrayList<>());
    for (Letters.Addressed letter : mail) {
      @Nullable KnownRun run = runs.get(letter.run());
      if (run != null && run.mail != null) {
        run.mail.add(letter.mail());
      }
    }
    found.runs.addAll(runs.values());
    found.giveWaits(runs);
  }

  /** When the next falls due that was not due yet. */
  Optional<Instant> later() {
    return later;
  }
}
