package dev.pawl.work;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long MILLI = 1_000_000;

  @Test
  void nothingIsPresumedUntilATurnWasMeasured() {
    assertThat(Pace.UNKNOWN.turns(256, ofMillis(100))).isZero();
  }

  @Test
  void moreSlotsAndShorterTurnsMeanMoreTurns() {
    Pace pace = Pace.UNKNOWN.after(10 * MILLI);
    assertThat(pace.turns(1, ofMillis(100))).isEqualTo(10);
    assertThat(pace.turns(256, ofMillis(100))).isEqualTo(2560);
    assertThat(Pace.UNKNOWN.after(2000 * MILLI).turns(8, ofMillis(100))).isZero();
  }

  @Test
  void aTurnWeighsLessTheMoreHaveEndedSince() {
    Pace pace = Pace.UNKNOWN.after(MILLI);
    Pace once = pace.after(3300 * MILLI);
    assertThat(once.meanNanos()).isBetween(100 * MILLI, 110 * MILLI);
    Pace later = once;
    for (int i = 0; i < 300; i++) {
      later = later.after(MILLI);
    }
    assertThat(later.meanNanos()).isBetween(MILLI, 2 * MILLI);
  }

  @Test
  void turnsThatTakeNoTimeAreAPaceToo() {
    Pace pace = Pace.UNKNOWN.after(0).after(0);
    assertThat(pace.turns(2, ofMillis(100))).isPositive();
  }
}
