package dev.pawl.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as stores keep them: in whole milliseconds. */
public final class Millis {
  private Millis() {}

  /** The first whole millisecond that is not before the moment: what is due then is never early. */
  public static Instant up(Instant moment) {
    Instant whole = moment.truncatedTo(ChronoUnit.MILLIS);
    return whole.equals(moment) ? whole : whole.plusMillis(1);
  }

  /** The shortest length in whole milliseconds that is not below this one. */
  public static Duration up(Duration length) {
    Duration whole = length.truncatedTo(ChronoUnit.MILLIS);
    return whole.compareTo(length) < 0 ? whole.plusMillis(1) : whole;
  }
}
