package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Chance;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

class AheadTest {
  private static final int SLOTS = 4;
  private static final long MILLI = 1_000_000;

  private final List<String> begun = new ArrayList<>();
  private final List<String> givenBack = new ArrayList<>();
  private final Passing time = new Passing();
  private final Semaphore slots = new Semaphore(SLOTS);
  private final Ahead ahead = new Ahead(SLOTS, slots, time);

  /** A platform on which waiting is what makes time pass, and something may happen meanwhile. */
  static final class Passing implements Platform {
    long nanos;
    Runnable meanwhile = () -> {};

    @Override
    public Ticker ticker() {
      return () -> nanos;
    }

    @Override
    public boolean await(Condition condition, long millis) {
      nanos += millis * MILLI;
      meanwhile.run();
      return false;
    }

    @Override
    public Chance chance() {
      throw new UnsupportedOperationException();
    }

    @Override
    public UUID newId() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Thread startThread(String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOfTheSystem(Thread thread) {
      return false;
    }

    @Override
    public boolean tryAcquire(Semaphore semaphore, int permits, long millis) {
      nanos += millis * MILLI;
      meanwhile.run();
      return false;
    }

    @Override
    public boolean await(CountDownLatch latch, long millis) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> T get(Future<T> future, long millis)
        throws InterruptedException, ExecutionException, TimeoutException {
      throw new UnsupportedOperationException();
    }
  }

  private Ahead.Guest guest(String name) {
    return new Ahead.Guest() {
      @Override
      public void begin() {
        begun.add(name);
      }

      @Override
      public void giveBack() {
        givenBack.add(name);
      }
    };
  }

  /** How many more there is room for. */
  private int room(Ahead in) {
    int room = 0;
    while (in.take(0)) {
      room++;
    }
    return room;
  }

  private void enter(String... names) {
    for (String name : names) {
      assertThat(ahead.take(1)).isTrue();
      ahead.enter(guest(name), 1);
    }
  }

  // ---- how many ----

  @Test
  void thereIsNoRoomUntilATurnWasMeasured() {
    assertThat(ahead.take(0)).isFalse();
  }

  @Test
  void thereIsRoomForWhatWillBeginWithinTheHorizon() {
    ahead.measured(MILLI);
    assertThat(room(ahead)).isEqualTo(SLOTS * 100);
    ahead.giveUp(0);
    assertThat(room(ahead)).isEqualTo(1);
  }

  @Test
  void slowTurnsLeaveNoRoom() {
    ahead.measured(2000 * MILLI);
    assertThat(ahead.take(0)).isFalse();
  }

  @Test
  void turnsThatGetSlowerLeaveLessRoom() {
    ahead.measured(MILLI);
    ahead.measured(2000 * MILLI);
    assertThat(room(ahead)).isLessThan(10);
  }

  @Test
  void thereIsAMost() {
    ahead.measured(0);
    assertThat(room(ahead)).isEqualTo(Ahead.MOST);
  }

  @Test
  void payloadsTakeRoomToo() {
    ahead.measured(0);
    int half = (int) (Ahead.MOST_CHARS / 2);
    assertThat(ahead.take(half)).isTrue();
    assertThat(ahead.take(half)).isTrue();
    assertThat(ahead.take(1)).isFalse();
    assertThat(ahead.take(0)).isTrue();
    ahead.giveUp(half);
    assertThat(ahead.take(1)).isTrue();
  }

  @Test
  void whoCarriesOutOneAtATimeLeasesNothingAhead() {
    Ahead alone = new Ahead(1, new Semaphore(1), time);
    alone.measured(0);
    assertThat(alone.take(0)).isFalse();
  }

  // ---- slots ----

  @Test
  void whoFindsASlotBeginsAtOnceAndLeavesItsRoom() {
    ahead.measured(MILLI);
    enter("a");
    assertThat(begun).containsExactly("a");
    assertThat(ahead.isEmpty()).isTrue();
    assertThat(slots.availablePermits()).isEqualTo(SLOTS - 1);
  }

  @Test
  void aSlotThatGetsFreeGoesToTheFirstWhoWaits() {
    ahead.measured(MILLI);
    slots.drainPermits();
    enter("a", "b", "c");
    assertThat(begun).isEmpty();

    ahead.free(1);
    assertThat(begun).containsExactly("a");
    assertThat(slots.availablePermits()).isZero();

    ahead.free(3);
    assertThat(begun).containsExactly("a", "b", "c");
    assertThat(slots.availablePermits()).as("nobody waits for it").isEqualTo(1);
    assertThat(ahead.isEmpty()).isTrue();
    assertThat(room(ahead)).isEqualTo(SLOTS * 100);
  }

  // ---- how long ----

  @Test
  void onlyTheFirstWhoWaitsHasToBeWatched() {
    ahead.measured(MILLI);
    slots.drainPermits();
    assertThat(ahead.take(1)).isTrue();
    assertThat(ahead.enter(guest("a"), 1)).isTrue();
    assertThat(ahead.take(1)).isTrue();
    assertThat(ahead.enter(guest("b"), 1)).isFalse();
    assertThat(ahead.watch()).hasValue(Ahead.LONGEST.toMillis());
    ahead.free(2);
    assertThat(ahead.watch()).isEmpty();
    assertThat(ahead.take(1)).isTrue();
    assertThat(ahead.enter(guest("c"), 1)).isTrue();
  }

  @Test
  void whoWaitsForTooLongIsGivenBackWithAllOthers() {
    ahead.measured(MILLI);
    slots.drainPermits();
    enter("a", "b");
    time.nanos += Ahead.LONGEST.toNanos() - MILLI;
    assertThat(ahead.watch()).hasValue(1);
    assertThat(givenBack).isEmpty();

    time.nanos += MILLI;
    assertThat(ahead.watch()).isPresent();
    assertThat(givenBack).containsExactly("a", "b");
    assertThat(ahead.isEmpty()).as("they are on their way").isFalse();
    ahead.giveUp(1);
    ahead.giveUp(1);
    assertThat(ahead.isEmpty()).isTrue();
    assertThat(ahead.take(0)).as("the pace is unknown").isFalse();
    ahead.free(1);
    assertThat(begun).isEmpty();
    assertThat(slots.availablePermits()).isEqualTo(1);
  }

  @Test
  void whoWaitsOrComesWhenItClosesIsGivenBack() {
    ahead.measured(MILLI);
    slots.drainPermits();
    enter("a");
    assertThat(ahead.take(1)).isTrue();
    ahead.close();
    assertThat(givenBack).containsExactly("a");
    slots.release();
    assertThat(ahead.enter(guest("b"), 1)).isFalse();
    assertThat(givenBack).containsExactly("a", "b");
    assertThat(begun).isEmpty();
    assertThat(ahead.take(0)).isFalse();
  }

  // ---- waiting for room ----

  @Test
  void aBulkWaitsForRoomThatComesSoon() {
    ahead.storeFirst(false);
    ahead.measured(MILLI);
    assertThat(room(ahead)).isEqualTo(400);
    time.meanwhile = () -> ahead.giveUp(0);
    assertThat(ahead.awaitRoom(2)).as("the time is over").isFalse();
    time.meanwhile =
        () -> {
          time.nanos -= 99 * MILLI;
          ahead.giveUp(0);
        };
    assertThat(ahead.awaitRoom(20)).isTrue();
    assertThat(room(ahead)).isEqualTo(20);
  }

  @Test
  void aBulkWaitsForWhatIsInTheStore() {
    ahead.measured(MILLI);
    assertThat(ahead.isStoreFirst()).isTrue();
    assertThat(ahead.awaitRoom(10)).isFalse();
    time.meanwhile =
        () -> {
          time.nanos -= MILLI;
          ahead.storeFirst(false);
        };
    assertThat(ahead.awaitRoom(10)).isTrue();
  }

  @Test
  void aBulkDoesNotWaitForAWorkerThatIsSlowOrStops() {
    assertThat(ahead.awaitRoom(1)).as("nothing is known of it").isTrue();
    ahead.measured(2000 * MILLI);
    assertThat(ahead.awaitRoom(1)).isTrue();
    assertThat(time.nanos).isZero();
    Ahead other = new Ahead(SLOTS, slots, time);
    other.measured(MILLI);
    other.close();
    assertThat(other.awaitRoom(1)).isTrue();
    assertThat(time.nanos).isZero();
  }

  @Test
  void whoIsHereIsWaitedForWhenTheWorkerEnds() {
    ahead.measured(MILLI);
    assertThat(ahead.take(1)).isTrue();
    assertThat(ahead.awaitEmpty(Duration.ofSeconds(3))).isFalse();
    assertThat(time.nanos).isEqualTo(3000 * MILLI);
    time.meanwhile = () -> ahead.giveUp(1);
    assertThat(ahead.awaitEmpty(Duration.ofSeconds(3))).isTrue();
  }
}
