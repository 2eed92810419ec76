package dev.pawl.script;

import dev.pawl.script.lang.Host;
import dev.pawl.time.Platform;
import java.time.Instant;

/** A script's clock, which stands still during a turn, and its sources of chance and ids. */
final class TurnHost implements Host {
  private final Platform platform;
  private long nowMillis;

  TurnHost(Platform platform) {
    this.platform = platform;
  }

  /** For looking at a script that does not run. */
  static TurnHost still() {
    return new TurnHost(Platform.system());
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
    return platform.chance().next();
  }

  @Override
  public String uuid() {
    return platform.newId().toString();
  }
}
