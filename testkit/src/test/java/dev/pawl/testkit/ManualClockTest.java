package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void itBeginsAtAKnownMomentAndStandsStill() {
    assertThat(clock.instant()).isEqualTo(ManualClock.START);
    assertThat(clock.instant()).isEqualTo(ManualClock.START);
    assertThat(clock.millis()).isEqualTo(ManualClock.START.toEpochMilli());
  }

  @Test
  void itMovesInWholeMilliseconds() {
    assertThat(clock.advance(Duration.ofNanos(2_999_999)))
        .isEqualTo(ManualClock.START.plusMillis(2));
    assertThat(clock.advanceMillis(-1)).isEqualTo(ManualClock.START.plusMillis(1));
  }

  @Test
  void itCanBeSet() {
    clock.set(Instant.EPOCH.plusNanos(1_500_000));

    assertThat(clock.instant()).isEqualTo(Instant.EPOCH.plusMillis(1));
  }
}
