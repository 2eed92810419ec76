package dev.pawl.store.sql.postgres;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
  private long nanos = Long.MAX_VALUE - ofMillis(12).toNanos();
  private final Pace pace = new Pace(() -> nanos, ofMillis(5), 3);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void aFewTimesGoAtOnceAndThenOneInSoLong() {
    assertThat(pace.next()).isEqualTo(ZERO);
    assertThat(pace.next()).isEqualTo(ZERO);
    assertThat(pace.next()).isEqualTo(ofMillis(5));
    pass(ofMillis(5));
    assertThat(pace.next()).isEqualTo(ofMillis(5));
    pass(ofMillis(5));
    assertThat(pace.next()).isEqualTo(ofMillis(5));
  }

  @Test
  void whoWasSilentMayGoAtOnceAgain() {
    for (int i = 0; i < 3; i++) {
      pace.next();
    }
    pass(ofMillis(1000));
    assertThat(pace.next()).isEqualTo(ZERO);
    assertThat(pace.next()).isEqualTo(ZERO);
    assertThat(pace.next()).isEqualTo(ofMillis(5));
  }
}
