package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.NewRun;
import dev.pawl.time.Chance;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryTest {
  private static final Instant T = Instant.parse("2030-01-01T00:00:00Z");
  private static final RunId ID = new RunId(new UUID(1, 2));
  private static final Chance HALF = () -> 0.5;

  @ParameterizedTest
  @CsvSource({"1, PT1S", "2, PT2S", "3, PT4S", "20, PT2M30S"})
  void exponentialWaitsAreARandomPartOfTwiceTheOneBefore(int attempt, Duration wait) {
    assertThat(Retry.exponential(30).backoff(attempt, HALF)).isEqualTo(wait);
  }

  @ParameterizedTest
  @CsvSource({"1, PT1M, PT1M6S", "2, PT4M, PT4M24S", "3, PT9M, PT9M54S"})
  void quadraticWaitsAreMinutesAndUpToATenthMore(int attempt, Duration least, Duration most) {
    Retry retry = Retry.quadratic(5);

    assertThat(retry.backoff(attempt, () -> 0)).isEqualTo(least);
    assertThat(retry.backoff(attempt, () -> 1)).isEqualTo(most);
    assertThat(retry.jitter(false).backoff(attempt, HALF)).isEqualTo(least);
  }

  @Test
  void aCapLimitsQuadraticWaitsToo() {
    assertThat(Retry.quadratic(9).cap(Duration.ofMinutes(2)).backoff(8, () -> 0))
        .isEqualTo(Duration.ofMinutes(2));
  }

  @Test
  void aRunsTagChoosesItsWaits() {
    Retry retry = Retry.fixed(3, Duration.ofSeconds(7));

    assertThat(retry.backoff(inSecondAttempt(Map.of("pawl.backoff", "quadratic")), () -> 0))
        .isEqualTo(Duration.ofMinutes(4));
    assertThat(retry.backoff(inSecondAttempt(Map.of("pawl.backoff", "standard")), () -> 0))
        .isEqualTo(Duration.ofSeconds(7));
    assertThat(retry.backoff(inSecondAttempt(Map.of()), () -> 0)).isEqualTo(Duration.ofSeconds(7));
  }

  private static Run inSecondAttempt(Map<String, String> tags) {
    Event created = NewRun.of(ID, "a.b.v1", Json.NULL).withTags(tags).created(T, 0);
    Event leased = new Event.Leased("w", 1, T.plusSeconds(30), 2, false, 0, 1);
    return Run.created(ID, new Entry(1, T, 0, created)).apply(new Entry(2, T, 1, leased));
  }
}
