package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Routes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A claim made as its transaction begins, in the same round: for one that is all there is to do, as
 * it is for a worker that has just been told of something. Used by one thread.
 */
final class ClaimAhead {
  /** When whoever has claimed what he was told of looks for more. */
  private static final Duration SOON = Duration.ofMillis(5);

  private final Command.Claim claim;
  private final List<KnownRun> due = new ArrayList<>();
  private final List<Letters.Addressed> mail = new ArrayList<>();
  private final Found found = new Found();
  private @Nullable Instant now;
  private Optional<Instant> later = Optional.empty();
  private boolean ofAll = true;

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
                .moment(given)
                .moment(given),
        ahead::take);
    round.query(
        "claim-found",
        to -> to.moment(given).number(claim.max()),
        cells -> ahead.due.add(Found.run(cells)));
    round.query("read-candidates-mail", none -> {}, cells -> ahead.mail.add(Letters.read(cells)));
    ahead.found.addCandidatesWaits(round);
    return ahead;
  }

  /**
   * Adds the statements that look for certain runs only. What else there is, and when the next
   * falls due, is for another claim, soon.
   */
  static ClaimAhead add(
      Session.Round round, Command.Claim claim, Optional<Instant> clock, Collection<RunId> told) {
    ClaimAhead ahead = new ClaimAhead(claim);
    Instant given = clock.orElse(null);
    List<UUID> ids = Found.uuids(told);
    round.query("claim-time", to -> to.moment(given), ahead::takeTime);
    round.query(
        "claim-told",
        to -> to.uuids(ids).moment(given).text(claim.claimant().runtime()).number(claim.max()),
        ahead::takeWanted);
    round.query("read-mail", to -> to.uuids(ids), cells -> ahead.mail.add(Letters.read(cells)));
    ahead.found.addWaits(round, ids);
    return ahead;
  }

  private boolean take(Cells cells) throws SQLException {
    now = cells.instant();
    later = cells.optionalInstant();
    return later.isPresent();
  }

  private boolean takeTime(Cells cells) throws SQLException {
    now = cells.instant();
    later = Optional.of(now.plus(SOON));
    ofAll = false;
    return true;
  }

  /** What was said of a run need not be true. */
  private boolean takeWanted(Cells cells) throws SQLException {
    KnownRun run = Found.run(cells);
    return claim.routes().matches(run.current().type()) && due.add(run);
  }

  /** The time by which it was due. */
  Instant now() {
    return Objects.requireNonNull(now, "the claim was not made");
  }

  /** Whether it was of whatever is due, and not of certain runs. */
  boolean isOfAll() {
    return ofAll;
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
