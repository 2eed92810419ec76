package dev.pawl.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.error.PawlException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeInputTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "500ms,500",
    "90s,90000",
    "1.5s,1500",
    "1h30m,5400000",
    "2d,172800000",
    "1w,604800000",
    "PT5M,300000",
    "10,10000",
    "0,0",
    "' 3 s',3000"
  })
  void readsDurations(String text, long millis) {
    assertThat(TimeInput.duration(text.replace(" s", "s"))).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-5s", "5 parsecs", "99999999w", "1e9"})
  void refusesWhatIsNoDuration(String text) {
    assertThatThrownBy(() -> TimeInput.duration(text))
        .isInstanceOf(PawlException.class)
        .hasMessageContaining("'" + text + "' is not a duration");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-16T09:00:00Z,2026-11-16T09:00:00Z",
    "2026-11-16T09:00+01:00,2026-11-16T08:00:00Z",
    "2026-11-16T09:00,2026-11-16T08:00:00Z",
    "2026-11-16 09:00,2026-11-16T08:00:00Z",
    "2026-11-16,2026-11-15T23:00:00Z",
    "14:00,2026-11-15T13:00:00Z",
    "12:30,2026-11-16T11:30:00Z"
  })
  void readsMoments(String text, Instant moment) {
    assertThat(TimeInput.moment(text, NOON, BERLIN)).isEqualTo(moment);
  }

  @Test
  void refusesWhatIsNoMoment() {
    assertThatThrownBy(() -> TimeInput.moment("tomorrow", NOON, BERLIN))
        .hasMessageContaining("'tomorrow' is not a moment");
  }
}
