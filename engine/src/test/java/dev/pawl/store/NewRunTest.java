package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NewRunTest {
  private static final Instant T = Instant.parse("2030-01-01T00:00:00Z");
  private static final RunId ID = new RunId(new UUID(1, 2));
  private static final RunId OTHER = new RunId(new UUID(3, 4));
  private final NewRun run = NewRun.of(ID, "t.v1", Json.TRUE);

  @Test
  void aRunIsDueNowAndItsOwnRootUnlessItSaysOtherwise() {
    Event.Created created = run.created(T, 42);

    assertThat(created.runAt()).isEqualTo(T);
    assertThat(created.root()).isEqualTo(ID);
    assertThat(created.bond()).isEqualTo(Bond.DETACHED);
    assertThat(created.since()).isEqualTo(42);
    assertThat(created.forkedFrom()).isEmpty();
    assertThat(created.deadline()).isEmpty();
  }

  @Test
  void aChildKnowsItsParentAndAForkItsOrigin() {
    Event.Created child = run.withParent(OTHER, OTHER, Bond.AWAITED).created(T, 42);
    Event.Created fork = run.withOrigin(new NewRun.Origin(OTHER, 5, List.of())).created(T, 42);

    assertThat(child.parent()).contains(OTHER);
    assertThat(child.root()).isEqualTo(OTHER);
    assertThat(child.bond()).isEqualTo(Bond.AWAITED);
    assertThat(fork.since()).isEqualTo(5);
    assertThat(fork.forkedFrom()).contains(OTHER);
  }

  @Test
  void eachChangeKeepsTheRest() {
    NewRun changed =
        run.withPriority(1)
            .withKey("k")
            .withDelay(Duration.ofSeconds(2))
            .withMaxAttempts(3)
            .withTags(Map.of("a", "b"))
            .withDeadline(Duration.ofHours(1))
            .withTtl(Duration.ofDays(7))
            .withParent(OTHER, OTHER, Bond.AWAITED)
            .withOrigin(new NewRun.Origin(OTHER, 5, List.of()));

    Event.Created created = changed.created(T, 0);
    assertThat(created.priority()).isEqualTo(1);
    assertThat(created.key()).contains("k");
    assertThat(created.runAt()).isEqualTo(T.plusSeconds(2));
    assertThat(created.maxAttempts()).isEqualTo(3);
    assertThat(created.tags()).isEqualTo(Map.of("a", "b"));
    assertThat(created.deadline()).contains(T.plusSeconds(3600));
    assertThat(created.ttl()).contains(Duration.ofDays(7));
    assertThat(created.parent()).contains(OTHER);
    assertThat(created.forkedFrom()).contains(OTHER);
    assertThat(created.payload()).isEqualTo(Json.TRUE);
  }

  @Test
  void aTimeToLiveIsBetweenAMillisecondAndAThousandYears() {
    for (Duration none :
        List.of(
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofNanos(999_999),
            Duration.ofDays(365_000).plusMillis(1),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThatExceptionOfType(PawlException.class)
          .isThrownBy(() -> run.withTtl(none))
          .withMessage(
              "a run's time to live is at least a millisecond and at most 365000 days, not "
                  + none);
    }
    assertThat(run.withTtl(Duration.ofMillis(1)).ttl()).contains(Duration.ofMillis(1));
    assertThat(run.withTtl(Duration.ofNanos(1_000_001)).ttl()).contains(Duration.ofMillis(2));
    assertThat(run.withTtl(Duration.ofDays(365_000)).ttl()).contains(Duration.ofDays(365_000));
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatExceptionOfType(PawlException.class).isThrownBy(() -> run.withMaxAttempts(0));
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> run.withDelay(Duration.ofMillis(-1)));
    assertThatExceptionOfType(PawlException.class).isThrownBy(() -> run.withKey(""));
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> NewRun.of(ID, "a b", Json.NULL));
  }
}
