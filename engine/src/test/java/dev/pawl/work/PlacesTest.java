package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Platform;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PlacesTest {
  private static Places places(int count) {
    return new Places(count, Platform.system());
  }

  @Test
  void aTurnWhoseCodeIsDoneMakesRoomForTheNext() {
    Places places = places(2);
    assertThat(places.take()).isTrue();
    assertThat(places.take()).isTrue();
    assertThat(places.take()).isFalse();

    assertThat(places.moveOn(0)).isTrue();

    assertThat(places.taken()).isEqualTo(1);
    assertThat(places.take()).isTrue();
  }

  @Test
  void fourTimesAsManyTurnsEndAtOnceAsAreCarriedOut() {
    Places places = places(2);
    for (int i = 0; i < 2 * Places.ENDING; i++) {
      assertThat(places.take()).isTrue();
      assertThat(places.moveOn(0)).isTrue();
    }
    assertThat(places.takeRest()).isEqualTo(2);

    assertThat(places.moveOn(0)).isFalse();
    assertThat(places.take()).isFalse();

    places.leave(true, 0);
    assertThat(places.moveOn(0)).isTrue();
    places.leave(false, 0);
    assertThat(places.taken()).isZero();
  }

  @Test
  void slotsThatAreNotThereAreMissingUntilAsManyTurnsHaveEnded() {
    Places places = places(1);
    assertThat(places.take()).isTrue();

    places.overdraw(2);

    assertThat(places.taken()).isEqualTo(3);
    for (int turns = 3; turns > 0; turns--) {
      assertThat(places.take()).isFalse();
      places.leave(false, 0);
    }
    assertThat(places.taken()).isZero();
    assertThat(places.take()).isTrue();
  }

  @Test
  void aClaimLeavesRoomToRunsThatAreStartedMeanwhile() {
    Places places = places(8);

    assertThat(places.takeRest()).isEqualTo(6);
    assertThat(places.takeRest()).isZero();

    assertThat(places.take()).isTrue();
    assertThat(places.take()).isTrue();
    assertThat(places.take()).isFalse();
  }

  @Test
  void whoCarriesOutOneAtATimeBeginsTheNextWhenTheLastIsOver() {
    Places places = places(1);
    assertThat(places.take()).isTrue();

    assertThat(places.moveOn(0)).isFalse();
    assertThat(places.take()).isFalse();

    places.leave(false, 0);
    assertThat(places.take()).isTrue();
  }

  @Test
  void aTurnThatIsEndingIsWaitedFor() throws Exception {
    Places places = places(2);
    assertThat(places.take()).isTrue();
    assertThat(places.moveOn(0)).isTrue();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                places.awaitEmpty(Duration.ofSeconds(50));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    while (waiting.getState() != Thread.State.TIMED_WAITING && waiting.isAlive()) {
      Thread.onSpinWait();
    }

    assertThat(waiting.isAlive()).isTrue();
    places.leave(true, 0);

    waiting.join();
  }

  @Test
  void nobodyWaitsLongerThanAllowed() throws Exception {
    Places places = places(2);
    assertThat(places.take()).isTrue();
    assertThat(places.take()).isTrue();
    assertThat(places.moveOn(0)).isTrue();

    places.awaitEmpty(Duration.ZERO);

    assertThat(places.taken()).isEqualTo(1);
  }
}
