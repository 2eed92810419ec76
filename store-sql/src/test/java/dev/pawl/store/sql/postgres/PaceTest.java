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

  /** Does it; returns how long until it may be done again. */
  private Duration done() {
    pace.done();
    return pace.left();
  }

  @Test
  void aFewTimesGoAtOnceAndThenOneInSoLong() {
    assertThat(pace.left()).isEqualTo(ZERO);
    assertThat(done()).isEqualTo(ZERO);
    assertThat(done()).isEqualTo(ZERO);
    assertThat(done()).isEqualTo(ofMillis(5));
    pass(ofMillis(4));
    assertThat(pace.left()).isEqualTo(ofMillis(1));
    pass(ofMillis(1));
    assertThat(done()).isEqualTo(ofMillis(5));
    pass(ofMillis(5));
    assertThat(done()).isEqualTo(ofMillis(5));
  }

  @Test
  void whoWasSilentMayGoAtOnceAgain() {
    for (int i = 0; i < 3; i++) {
      pace.done();
    }
    pass(ofMillis(1000));
    assertThat(done()).isEqualTo(ZERO);
    assertThat(done()).isEqualTo(ZERO);
    assertThat(done()).isEqualTo(ofMillis(5));
  }

  @Test
  void whatTheTickerSaysAtFirstDoesNotMatter() {
    long before = -ofMillis(1000).toNanos();
    assertThat(new Pace(() -> before, ofMillis(5), 3).left()).isEqualTo(ZERO);
  }
}
