package dev.pawl.graph.definition;

import dev.pawl.error.PawlException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them: seconds as a number, {@code 500ms}, {@code 1.5h}, {@code P1D}.
 */
public final class Durations {
  private static final Pattern SHORT = Pattern.compile("([0-9]+(?:[.][0-9]+)?)\\s*(ms|s|m|h|d)");

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws PawlException if it is none
   */
  public static Duration parse(@Nullable Object value) {
    Duration duration =
        switch (value) {
          case Number seconds -> seconds(new BigDecimal(seconds.toString()));
          case String text -> text(text.strip());
          case null, default -> throw unreadable(value);
        };
    if (duration.isNegative()) {
      throw unreadable(value);
    }
    return duration;
  }

  private static Duration text(String text) {
    Matcher match = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    if (match.matches()) {
      BigDecimal number = new BigDecimal(match.group(1));
      return seconds(
          switch (match.group(2)) {
            case "ms" -> number.movePointLeft(3);
            case "s" -> number;
            case "m" -> number.multiply(BigDecimal.valueOf(60));
            case "h" -> number.multiply(BigDecimal.valueOf(3_600));
            default -> number.multiply(BigDecimal.valueOf(86_400));
          });
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw unreadable(text);
    }
  }

  private static Duration seconds(BigDecimal seconds) {
    try {
      return Duration.ofMillis(seconds.movePointRight(3).longValueExact());
    } catch (ArithmeticException e) {
      return Duration.ofMillis(seconds.movePointRight(3).longValue());
    }
  }

  private static PawlException unreadable(@Nullable Object value) {
    return PawlException.badInput(
        "'"
            + value
            + "' is no duration; write seconds, or a text such as 500ms, 10s, 5m, 24h, P1D");
  }
}
