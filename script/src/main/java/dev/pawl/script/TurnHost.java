package dev.pawl.script;

import dev.pawl.script.lang.Host;
import dev.pawl.time.Chance;
import dev.pawl.time.Ids;
import java.time.Instant;

/** A script's clock, which stands still during a turn, and its sources of chance and ids. */
final class TurnHost implements Host {
  private final Chance chance = Chance.system();
  private long nowMillis;

  /** For looking at a script that does not run. */
  static TurnHost still() {
    return new TurnHost();
  }

  void set(Instant now) {
    nowMillis = now.toEpochMilli();
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public double random() {
    return chance.next();
  }

  @Override
  public String uuid() {
    return Ids.next().toString();
  }
}
