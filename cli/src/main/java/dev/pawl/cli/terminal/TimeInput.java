package dev.pawl.cli.terminal;

import dev.pawl.error.PawlException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moments and durations as people write them. */
public final class TimeInput {
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h|d|w)");
  private static final Pattern PARTS = Pattern.compile("(?:" + PART.pattern() + ")+");
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private TimeInput() {}

  /**
   * {@code 500ms}, {@code 90s}, {@code 1h30m}, {@code 2d}, {@code PT5M}; a bare number is seconds.
   */
  public static Duration duration(String text) {
    Duration parsed = parse(text.strip().toLowerCase(Locale.ROOT), text);
    if (parsed.isNegative() || parsed.compareTo(LONGEST) > 0) {
      throw badDuration(text);
    }
    return parsed;
  }

  private static Duration parse(String lower, String asWritten) {
    if (NUMBER.matcher(lower).matches()) {
      return millis(lower, 1000);
    }
    if (PARTS.matcher(lower).matches()) {
      Matcher part = PART.matcher(lower);
      Duration sum = Duration.ZERO;
      while (part.find()) {
        sum = sum.plus(millis(part.group(1), unitMillis(part.group(2))));
      }
      return sum;
    }
    try {
      return Duration.parse(lower);
    } catch (DateTimeException e) {
      throw badDuration(asWritten);
    }
  }

  private static Duration millis(String number, long unit) {
    return Duration.ofMillis(
        Math.round(Math.min(Double.parseDouble(number) * unit, LONGEST.toMillis() + 1.0)));
  }

  private static long unitMillis(String unit) {
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1000;
      case "m" -> 60_000;
      case "h" -> 3_600_000;
      case "d" -> 86_400_000;
      default -> 7 * 86_400_000L;
    };
  }

  private static PawlException badDuration(String text) {
    return PawlException.badInput(
        "'" + text + "' is not a duration; write 500ms, 90s, 1h30m, 2d or a number of seconds");
  }

  /**
   * {@code 2026-11-16T09:00:00Z}, with another offset, without one (local time), {@code
   * 2026-11-16}, or {@code 09:00} for the next time it is that late.
   */
  public static Instant moment(String text, Instant now, ZoneId zone) {
    String trimmed = text.strip().replace(' ', 'T');
    List<Function<String, Instant>> forms =
        List.of(
            form -> OffsetDateTime.parse(form).toInstant(),
            form -> LocalDateTime.parse(form).atZone(zone).toInstant(),
            form -> LocalDate.parse(form).atStartOfDay(zone).toInstant(),
            form -> next(LocalTime.parse(form), now.atZone(zone)));
    for (Function<String, Instant> form : forms) {
      try {
        return form.apply(trimmed);
      } catch (DateTimeException e) {
        // Perhaps it is of the next form.
      }
    }
    throw PawlException.badInput(
        "'" + text + "' is not a moment; write 2026-11-16T09:00:00Z, 2026-11-16T09:00 or 09:00");
  }

  private static Instant next(LocalTime time, ZonedDateTime now) {
    ZonedDateTime today = now.with(time);
    return (today.isAfter(now) ? today : today.plusDays(1)).toInstant();
  }
}
