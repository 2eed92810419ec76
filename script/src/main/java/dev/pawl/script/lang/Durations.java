package dev.pawl.script.lang;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How durations and moments are written in scripts. */
public final class Durations {
  private static final Pattern SIMPLE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|h|d)");
  private static final double LONGEST_MILLIS = 1e15;

  private Durations() {}

  /**
   * Milliseconds of a text such as {@code 500ms}, {@code 1.5h}, {@code 7d}, {@code PT5M} or {@code
   * P1D}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static long millis(String text) {
    Matcher simple = SIMPLE.matcher(text.strip());
    if (simple.matches()) {
      double unit =
          switch (simple.group(2)) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 86_400_000;
          };
      return whole(Double.parseDouble(simple.group(1)) * unit, text);
    }
    try {
      String iso = text.strip();
      boolean onlyDays = iso.startsWith("P") && !iso.contains("T");
      Duration duration = onlyDays ? days(Period.parse(iso)) : Duration.parse(iso);
      return whole((double) duration.toMillis(), text);
    } catch (DateTimeException | ArithmeticException e) {
      throw notADuration(text);
    }
  }

  private static Duration days(Period period) {
    if (period.toTotalMonths() != 0) {
      throw new ArithmeticException("months have no fixed length");
    }
    return Duration.ofDays(period.get(ChronoUnit.DAYS));
  }

  /** Milliseconds of so many seconds; less than none is none. */
  static long seconds(double seconds) {
    return whole(Math.max(0, seconds * 1000), String.valueOf(seconds));
  }

  private static long whole(double millis, String text) {
    if (!(millis >= 0) || millis > LONGEST_MILLIS) {
      throw notADuration(text);
    }
    return Math.round(millis);
  }

  private static IllegalArgumentException notADuration(String text) {
    return new IllegalArgumentException(
        "`"
            + text
            + "` is not a duration: write seconds as a number, or a text such as"
            + " \"500ms\", \"24h\" or \"P1D\"");
  }

  /** The duration a script gave. */
  static long millis(Object value, String function) {
    try {
      return switch (value) {
        case Double number -> seconds(number);
        case String text -> millis(text);
        default ->
            throw Thrown.type(
                "`"
                    + function
                    + "` needs a duration, seconds or a text such as \"24h\"; it got "
                    + Values.kind(value));
      };
    } catch (IllegalArgumentException e) {
      throw Thrown.input("`" + function + "`: " + e.getMessage());
    }
  }

  /** The moment a script gave, in milliseconds since 1970. */
  static long moment(Object value, String function) {
    if (value instanceof Double millis && Math.abs(millis) <= LONGEST_MILLIS) {
      return Math.round(millis);
    }
    if (value instanceof String text) {
      try {
        return Instant.parse(text).toEpochMilli();
      } catch (DateTimeException | ArithmeticException e) {
        throw Thrown.input(
            "`"
                + function
                + "`: `"
                + text
                + "` is not a moment: write it as"
                + " \"2026-01-31T12:00:00Z\" or in milliseconds");
      }
    }
    throw Thrown.type(
        "`"
            + function
            + "` needs a moment such as \"2026-01-31T12:00:00Z\"; it got "
            + Values.kind(value));
  }
}
