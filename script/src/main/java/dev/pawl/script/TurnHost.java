package dev.pawl.script;

import dev.pawl.log.Event;
import dev.pawl.script.lang.Host;
import dev.pawl.time.Millis;
import dev.pawl.work.Turn;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A script's clock, which stands still during a turn, and its sources of chance and ids. What those
 * give in a turn comes from one draw that is put on record when the first thing is asked for. A
 * stretch that is played again has the time and the draw of its turn.
 */
final class TurnHost implements Host {
  private @Nullable Turn turn;
  private @Nullable Draw draw;
  private long nowMillis;

  /** A turn begins. */
  void begin(Turn next) {
    turn = next;
    goOn();
  }

  /** The script is about to be in this stretch again. */
  void playAgain(Resumption.Stretch stretch) {
    nowMillis = millis(stretch.leased().orElseGet(() -> turn().activation().now()));
    stretch.drawn().ifPresent(seed -> draw = new Draw(seed));
  }

  /** The script waits: nothing is asked for until its next turn. */
  void end() {
    turn = null;
  }

  /** From here on the script does what it has not done before. */
  void goOn() {
    nowMillis = millis(turn().activation().now());
    draw = null;
  }

  private static long millis(Instant leased) {
    return Millis.up(leased).toEpochMilli();
  }

  private Turn turn() {
    return Objects.requireNonNull(turn, "no turn has begun");
  }

  private Draw draw() {
    @Nullable Draw now = draw;
    if (now == null) {
      UUID seed = turn().platform().newId();
      turn().record(new Event.Drawn(seed));
      now = new Draw(seed);
      draw = now;
    }
    return now;
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public double random() {
    return draw().random();
  }

  @Override
  public String uuid() {
    return draw().uuid();
  }
}
