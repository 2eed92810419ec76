package dev.pawl.store.sql.postgres;

import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A signal that comes alone, as most do: the database itself decides what becomes of the run, so
 * that one round is enough for all of it, and whoever waits for the signal hears of it that much
 * sooner. Of a run that is not there, has ended, knows the signal already or is just being changed
 * by others it says nothing: that is for a transaction that reads first. Used by one thread.
 */
final class LoneSend {
  private final Command.Send send;
  private @Nullable String type;
  private boolean due;

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
    Session.Round round = session.round().begin();
    if (pooled) {
      round.query("plan-by-index", none -> {}, cells -> 0);
    }
    lone.add(round, clock.orElse(null), pooled);
    round.write("commit", none -> {}, rows -> {});
    word.ifPresent(text -> round.query("notify-due", to -> to.text(text), cells -> text));
    round.run();
    return lone;
  }

  private void add(Session.Round round, @Nullable Instant clock, boolean pooled) {
    round.query(
        "send-alone",
        to ->
            to.moment(clock)
                .uuid(send.run().uuid())
                .text(send.name())
                .uuid(send.message())
                .text(send.name())
                .uuid(send.message())
                .text(send.value().text())
                .flag(pooled),
        this::take);
  }

  private boolean take(Cells cells) throws SQLException {
    type = cells.optionalText().orElse(null);
    due = !cells.text().isEmpty();
    return due;
  }

  /** Whether it was written. */
  boolean isSent() {
    return type != null;
  }

  /** What may be worth a look now: the run, if it is due. */
  Set<Hint> hints() {
    return type != null && due ? Set.of(new Hint.Claimable(type)) : Set.of();
  }
}
