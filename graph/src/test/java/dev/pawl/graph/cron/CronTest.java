package dev.pawl.graph.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks in Berlin go from 2:00 to 3:00 on 28 March 2027, and from 3:00 to 2:00 on 31 October. */
class CronTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static List<String> next(String cron, String after, ZoneId zone, int count) {
    List<String> times = new ArrayList<>();
    Instant last = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      last = Cron.parse(cron).next(last, zone).orElseThrow();
      times.add(last.toString());
    }
    return times;
  }

  @Test
  void everyQuarterOfAnHourInTheMorning() {
    assertThat(next("*/15 8-9 * * *", "2027-01-01T08:40:10Z", UTC, 3))
        .containsExactly("2027-01-01T08:45:00Z", "2027-01-01T09:00:00Z", "2027-01-01T09:15:00Z");
  }

  @Test
  void onWorkingDays() {
    assertThat(next("0 9 * * mon-fri", "2027-01-01T10:00:00Z", UTC, 2))
        .containsExactly("2027-01-04T09:00:00Z", "2027-01-05T09:00:00Z");
  }

  @Test
  void sundayIsSevenToo() {
    assertThat(next("0 0 * * 7", "2027-01-01T00:00:00Z", UTC, 1))
        .containsExactly("2027-01-03T00:00:00Z");
  }

  @Test
  void ofBothDaysEitherWillDo() {
    assertThat(next("0 0 13 * fri", "2027-01-01T00:00:00Z", UTC, 3))
        .containsExactly("2027-01-08T00:00:00Z", "2027-01-13T00:00:00Z", "2027-01-15T00:00:00Z");
  }

  @Test
  void aLeapDayIsFound() {
    assertThat(next("0 0 29 2 *", "2027-01-01T00:00:00Z", UTC, 1))
        .containsExactly("2028-02-29T00:00:00Z");
    assertThat(Cron.parse("0 0 31 2 *").next(Instant.EPOCH, UTC)).isEmpty();
  }

  @Test
  void aTimeThatDoesNotExistIsTakenAfterTheGapOnce() {
    assertThat(next("30 2 * * *", "2027-03-27T12:00:00Z", BERLIN, 2))
        .containsExactly("2027-03-28T01:00:00Z", "2027-03-29T00:30:00Z");
  }

  @Test
  void aTimeThatExistsTwiceIsTakenTheFirstTime() {
    assertThat(next("30 2 * * *", "2027-10-30T12:00:00Z", BERLIN, 2))
        .containsExactly("2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z");
  }

  @Test
  void whatRunsEveryHourRunsInTheRepeatedOneToo() {
    assertThat(next("0 * * * *", "2027-10-30T23:30:00Z", BERLIN, 3))
        .containsExactly("2027-10-31T00:00:00Z", "2027-10-31T01:00:00Z", "2027-10-31T02:00:00Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"* * * *", "60 * * * *", "* * 0 * *", "5-1 * * * *", "x * * * *", "*/0 * * * *"})
  void nonsenseIsRefused(String text) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Cron.parse(text))
        .withMessageContaining("no schedule");
  }
}
