package dev.pawl.store.sql.postgres;

import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A signal that comes alone, as most do: the database itself decides what becomes of the run, so
 * that one round is enough for all of it, and whoever waits for the signal hears of it that much
 * sooner. Of a run that is not there, has ended or knows the signal already it says nothing: that
 * is for a transaction that reads first. Used by one thread.
 */
final class LoneSend {
  private final Command.Send send;
  private @Nullable KnownRun run;
  private @Nullable Instant at;

  private LoneSend(Command.Send send) {
    this.send = send;
  }

  /**
   * Sends and commits.
   *
   * @param clock the time, if it is not the database's
   * @param pooled whether the connection may be another server's with every transaction
   * @param word what others are told before the type of a run that is due now, behind the commit
   * @throws SQLException if the connection was lost, it is not known what came of it
   */
  static LoneSend commit(
      Session session,
      Command.Send send,
      Optional<Instant> clock,
      boolean pooled,
      Optional<String> word)
      throws SQLException {
    LoneSend lone = new LoneSend(send);
    Session.Round round = session.round();
    if (pooled) {
      round.query("plan-by-index", none -> {}, cells -> 0);
    }
    lone.add(round, clock.orElse(null));
    round.write("commit", none -> {}, rows -> {});
    word.ifPresent(text ->
        round.query(
            "notify-due",
            to -> to.text(text).uuid(send.run().uuid()).moment(clock.orElse(null)),
            cells -> text));
    round.run();
    return lone;
  }

  /** A statement sees what was committed before it began: so the lock comes by itself. */
  private void add(Session.Round round, @Nullable Instant clock) {
    round.query("lock-runs", to -> to.uuids(List.of(send.run().uuid())), cells -> 0);
    round.query(
        "send-alone",
        to ->
            to.moment(clock)
                .uuid(send.run().uuid())
                .text(send.name())
                .uuid(send.message())
                .text(send.name())
                .uuid(send.message())
                .text(send.value().text()),
        this::take);
  }

  private boolean take(Cells cells) throws SQLException {
    run = Found.run(cells);
    at = cells.instant();
    return true;
  }

  /** The run as it is now; empty if nothing was written. */
  Optional<KnownRun> run() {
    return Optional.ofNullable(run);
  }

  /** What may be worth a look now. */
  Set<Hint> hints() {
    return run != null && at != null && isDue(run.current(), at)
        ? Set.of(new Hint.Claimable(run.current().type()))
        : Set.of();
  }

  private static boolean isDue(Run run, Instant now) {
    return run.status() == Status.SUSPENDED
        && run.due().filter(due -> !due.isAfter(now)).isPresent();
  }
}
