package dev.pawl.graph.cron;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Schedules made by chance are due when another implementation says so. Both have their own mind
 * about clocks that are put forward or back, so these stand in zones whose clocks are not.
 */
class CronOracleTest {
  private static final int SCHEDULES = 400;
  private static final int TIMES = 5;
  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("UTC"), ZoneId.of("Asia/Kolkata"), ZoneId.of("Asia/Tokyo"));
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final Instant FROM = Instant.parse("2027-01-01T00:00:00Z");
  private static final int MINUTES = 5 * 365 * 24 * 60;

  private final CronParser oracle =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

  @Test
  void nextTimesAgreeWithAnotherImplementation() {
    Long only = Long.getLong("pawl.seed");
    long first = only != null ? only : System.nanoTime() & Integer.MAX_VALUE;
    for (long seed = first; seed < first + (only != null ? 1 : SCHEDULES); seed++) {
      compare(seed);
    }
  }

  private void compare(long seed) {
    SplittableRandom chance = new SplittableRandom(seed);
    String text = schedule(chance);
    ZoneId zone = ZONES.get(chance.nextInt(ZONES.size()));
    Instant ours = FROM.plusSeconds(60L * chance.nextInt(MINUTES) + chance.nextInt(60));
    ExecutionTime theirs = ExecutionTime.forCron(oracle.parse(text));
    for (int i = 0; i < TIMES; i++) {
      Optional<Instant> expected =
          theirs.nextExecution(ours.atZone(zone)).map(time -> time.toInstant());
      Optional<Instant> found = Cron.parse(text).next(ours, zone);
      assertThat(found)
          .as("'%s' after %s in %s, with -Dpawl.seed=%d", text, ours, zone, seed)
          .isEqualTo(expected);
      ours = found.orElseThrow();
    }
  }

  private static String schedule(SplittableRandom chance) {
    boolean byDay = chance.nextInt(3) == 0;
    boolean byWeekday = chance.nextInt(3) == 0;
    List<String> fields = new ArrayList<>();
    fields.add(field(chance, 0, 59));
    fields.add(field(chance, 0, 23));
    fields.add(byDay ? some(chance, 1, 28) : "*");
    fields.add(field(chance, 1, 12));
    fields.add(byWeekday ? weekdays(chance) : "*");
    return String.join(" ", fields);
  }

  private static String field(SplittableRandom chance, int low, int high) {
    return switch (chance.nextInt(3)) {
      case 0 -> "*";
      case 1 -> "*/" + (2 + chance.nextInt(Math.max(1, (high - low) / 2)));
      default -> some(chance, low, high);
    };
  }

  /** A number, a range, a range with steps, or a list. */
  private static String some(SplittableRandom chance, int low, int high) {
    int one = low + chance.nextInt(high - low + 1);
    int other = low + chance.nextInt(high - low + 1);
    String range = Math.min(one, other) + "-" + Math.max(one, other);
    return switch (chance.nextInt(4)) {
      case 0 -> range;
      case 1 -> range + "/" + (1 + chance.nextInt(5));
      case 2 -> one == other ? "" + one : Math.min(one, other) + "," + Math.max(one, other);
      default -> "" + one;
    };
  }

  private static String weekdays(SplittableRandom chance) {
    return switch (chance.nextInt(3)) {
      case 0 -> DAYS.get(chance.nextInt(7));
      case 1 -> "MON-FRI";
      default -> "" + chance.nextInt(7);
    };
  }
}
