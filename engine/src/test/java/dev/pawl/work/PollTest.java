package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long a worker rests between two looks. */
class PollTest {
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private static List<Long> idle(Poll poll, int looks) {
    return IntStream.range(0, looks).mapToObj(look -> poll.restMillis(false)).toList();
  }

  @Test
  void anIdleWorkerRestsTwiceAsLongWithEveryLookUpToItsLongest() {
    assertThat(idle(new Poll(LONGEST, () -> 0), 9))
        .containsExactly(50L, 100L, 200L, 400L, 800L, 1600L, 2000L, 2000L, 2000L);
  }

  @Test
  void whatIsFoundBringsItBackAtOnce() {
    Poll poll = new Poll(LONGEST, () -> 0);
    idle(poll, 9);
    assertThat(poll.restMillis(true)).isEqualTo(50);
    assertThat(poll.restMillis(true)).isEqualTo(50);
    assertThat(poll.restMillis(false)).isEqualTo(100);
  }

  @Test
  void aFifthOfItIsUpToChanceAndItIsNeverLongerThanTheLongest() {
    Poll poll = new Poll(LONGEST, () -> 0.999);
    idle(poll, 9);
    assertThat(poll.restMillis(false)).isBetween(1600L, 1601L);
  }

  @Test
  void aShorterPollIsKept() {
    assertThat(idle(new Poll(Duration.ofMillis(1), () -> 0.9), 3)).containsExactly(1L, 1L, 1L);
    assertThat(idle(new Poll(Duration.ZERO, () -> 0), 2)).containsExactly(1L, 1L);
  }
}
