package dev.pawl.graph.cron;

import dev.pawl.error.PawlException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A schedule in five fields: minute, hour, day of the month, month, day of the week. A field is
 * {@code *}, a number, a range {@code 1-5}, a step {@code *}{@code /15} or {@code 10-40/10}, or a
 * list of these. Months and days have their English names too, Sunday is 0 and 7. If both days are
 * given, either will do. Immutable.
 *
 * <p>When clocks are put forward, a time that does not exist is taken at the first moment after the
 * gap, once. When they are put back, a time that exists twice is taken the first time only; a
 * schedule that runs every hour or more often also runs in the repeated hour, because it goes by
 * time that passes.
 */
public final class Cron {
  private static final int YEARS = 30;
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
  private static final Map<String, String> WORDS =
      Map.of(
          "@hourly", "0 * * * *",
          "@daily", "0 0 * * *",
          "@weekly", "0 0 * * 0",
          "@monthly", "0 0 1 * *",
          "@yearly", "0 0 1 1 *");

  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet days;
  private final BitSet months;
  private final BitSet weekdays;
  private final boolean everyDay;
  private final boolean everyWeekday;
  private final boolean everyHour;

  private Cron(String[] fields, String text) {
    this.minutes = field(fields[0], 0, 59, List.of(), text);
    this.hours = field(fields[1], 0, 23, List.of(), text);
    this.days = field(fields[2], 1, 31, List.of(), text);
    this.months = field(fields[3], 1, 12, MONTHS, text);
    this.weekdays = field(fields[4], 0, 7, DAYS, text);
    if (weekdays.get(7)) {
      weekdays.set(0);
    }
    this.everyDay = fields[2].startsWith("*");
    this.everyWeekday = fields[4].startsWith("*");
    this.everyHour = hours.cardinality() == 24;
  }

  /**
   * Reads a schedule.
   *
   * @throws PawlException that says which field is wrong
   */
  public static Cron parse(String text) {
    String plain = WORDS.getOrDefault(text.strip().toLowerCase(Locale.ROOT), text.strip());
    String[] fields = plain.split("\\s+");
    if (fields.length != 5) {
      throw PawlException.badInput(
          "'"
              + text
              + "' is no schedule: it has "
              + fields.length
              + " fields, not minute, hour, day, month and day of the week");
    }
    return new Cron(fields, text);
  }

  /** The first time behind a moment; none if there is none in the next thirty years. */
  public Optional<Instant> next(Instant after, ZoneId zone) {
    ZonedDateTime from = after.atZone(zone);
    LocalDateTime minute = from.toLocalDateTime().withSecond(0).withNano(0);
    Optional<Instant> repeated = everyHour ? inRepeatedHour(after, zone) : Optional.empty();
    Optional<Instant> usual = search(minute.plusMinutes(1), after, zone);
    return repeated.filter(at -> usual.isEmpty() || at.isBefore(usual.get())).or(() -> usual);
  }

  /** Where the clock has been put back, or will be within the hour: minute by minute. */
  private Optional<Instant> inRepeatedHour(Instant after, ZoneId zone) {
    Instant minute = Instant.ofEpochSecond(Math.floorDiv(after.getEpochSecond(), 60) * 60);
    for (int i = 1; i <= 180; i++) {
      Instant at = minute.plusSeconds(60L * i);
      LocalDateTime local = at.atZone(zone).toLocalDateTime();
      if (minutes.get(local.getMinute()) && isDay(local.toLocalDate())) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  private Optional<Instant> search(LocalDateTime from, Instant after, ZoneId zone) {
    LocalDate last = from.toLocalDate().plusYears(YEARS);
    LocalDateTime at = from;
    while (at.toLocalDate().isBefore(last)) {
      if (!isDay(at.toLocalDate())) {
        at = at.toLocalDate().plusDays(1).atStartOfDay();
      } else if (!hours.get(at.getHour())) {
        at = at.withMinute(0).plusHours(1);
      } else if (!minutes.get(at.getMinute())) {
        at = at.plusMinutes(1);
      } else {
        Instant moment = at.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
        Instant real = gapEnd(at, zone).orElse(moment);
        if (real.isAfter(after)) {
          return Optional.of(real);
        }
        at = at.plusMinutes(1);
      }
    }
    return Optional.empty();
  }

  /** The first moment after a gap that swallows this time. */
  private static Optional<Instant> gapEnd(LocalDateTime at, ZoneId zone) {
    var transition = zone.getRules().getTransition(at);
    return transition != null && transition.isGap()
        ? Optional.of(transition.getInstant())
        : Optional.empty();
  }

  private boolean isDay(LocalDate date) {
    if (!months.get(date.getMonthValue())) {
      return false;
    }
    boolean day = days.get(date.getDayOfMonth());
    boolean weekday = weekdays.get(date.getDayOfWeek().getValue() % 7);
    boolean either = !everyDay && !everyWeekday;
    return either ? day || weekday : day && weekday;
  }

  // ---- reading ----

  private static BitSet field(String field, int min, int max, List<String> names, String text) {
    BitSet set = new BitSet();
    for (String part : field.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] stepped = part.split("/", 2);
      int step = stepped.length == 2 ? number(stepped[1], 1, max, List.of(), text) : 1;
      String[] ends = stepped[0].split("-", 2);
      boolean all = stepped[0].equals("*");
      int from = all ? min : number(ends[0], min, max, names, text);
      boolean open = all || (stepped.length == 2 && ends.length == 1);
      int to = open ? max : ends.length == 2 ? number(ends[1], min, max, names, text) : from;
      if (to < from) {
        throw wrong(part, min, max, text);
      }
      for (int i = from; i <= to; i += step) {
        set.set(i);
      }
    }
    return set;
  }

  private static int number(String word, int min, int max, List<String> names, String text) {
    int named = names.indexOf(word);
    if (named >= 0) {
      return named + (names.equals(MONTHS) ? 1 : 0);
    }
    try {
      int number = Integer.parseInt(word);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number that is out of range.
    }
    throw wrong(word, min, max, text);
  }

  private static PawlException wrong(String part, int min, int max, String text) {
    return PawlException.badInput(
        "'" + text + "' is no schedule: '" + part + "' should be from " + min + " to " + max);
  }
}
