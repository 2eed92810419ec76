package dev.pawl.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeTextTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "0,now",
    "-0.5,now",
    "-12,12s ago",
    "-200,3m ago",
    "-7300,2h ago",
    "-200000,2d ago",
    "12,in 12s",
    "7300,in 2h"
  })
  void tellsMomentsFromNow(double seconds, String text) {
    assertThat(TimeText.relative(NOW.plusMillis((long) (seconds * 1000)), NOW)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "5,5ms",
    "1234,1.2s",
    "59999,60.0s",
    "200000,3m 20s",
    "7500000,2h 5m",
    "187200000,2d 4h"
  })
  void tellsSpans(long millis, String text) {
    assertThat(TimeText.span(Duration.ofMillis(millis))).isEqualTo(text);
  }
}
