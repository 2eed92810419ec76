package dev.pawl.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Moments and durations as people read them. */
public final class TimeText {
  private static final DateTimeFormatter TO_SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter TO_MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

  private TimeText() {}

  /** {@code 3m ago}, {@code in 2h}, {@code now}. */
  public static String relative(Instant moment, Instant now) {
    Duration past = Duration.between(moment, now);
    if (past.abs().toMillis() < 1000) {
      return "now";
    }
    return past.isNegative() ? "in " + coarse(past.negated()) : coarse(past) + " ago";
  }

  /** One unit: {@code 12s}, {@code 3m}, {@code 2h}, {@code 5d}. */
  public static String coarse(Duration span) {
    long seconds = span.toSeconds();
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return seconds / 60 + "m";
    }
    return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }

  /** Two units: {@code 340ms}, {@code 1.2s}, {@code 3m 20s}, {@code 2h 5m}, {@code 3d 4h}. */
  public static String span(Duration span) {
    long millis = span.toMillis();
    if (millis < 1000) {
      return millis + "ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1fs", millis / 1000.0);
    }
    long seconds = millis / 1000;
    if (seconds < 3600) {
      return seconds / 60 + "m " + seconds % 60 + "s";
    }
    return seconds < 86_400
        ? seconds / 3600 + "h " + seconds % 3600 / 60 + "m"
        : seconds / 86_400 + "d " + seconds % 86_400 / 3600 + "h";
  }

  /** The moment in the zone of this machine, to the second. */
  public static String local(Instant moment) {
    return TO_SECONDS.format(moment.atZone(ZoneId.systemDefault()));
  }

  /** The moment in the zone of this machine, to the millisecond. */
  public static String localMillis(Instant moment) {
    return TO_MILLIS.format(moment.atZone(ZoneId.systemDefault()));
  }

  /** {@code 2026-11-15 21:13:05 (3m ago)}. */
  public static String localAndRelative(Instant moment, Instant now) {
    return local(moment) + " (" + relative(moment, now) + ")";
  }
}
