package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
  void severalTimesAsManyTurnsEndAtOnceAsAreCarriedOut() {
    Places places = places(2);
    for (int i = 0; i < 2 * Places.ENDING; i++) {
      assertThat(places.take()).isTrue();
      assertThat(places.moveOn(0)).isTrue();
    }
    assertThat(places.takeRest()).isEqualTo(2);

    assertThat(places.moveOn(0)).isFalse();
    assertThat(places.take()).isFalse();

    places.leave(true);
    assertThat(places.moveOn(0)).isTrue();
    places.leave(false);
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
      places.leave(false);
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

    places.leave(false);
    assertThat(places.take()).isTrue();
  }

  /** Two slots are taken, and somebody who is leased ahead waits for one. */
  private static List<String> withAGuest(Places places) {
    List<String> begun = new ArrayList<>();
    assertThat(places.take()).isTrue();
    assertThat(places.take()).isTrue();
    places.ahead().measured(1);
    assertThat(places.ahead().take(0)).isTrue();
    places
        .ahead()
        .enter(
            new Ahead.Guest() {
              @Override
              public void begin() {
                begun.add("guest");
              }

              @Override
              public void giveBack() {
                begun.add("given back");
              }
            },
            0);
    return begun;
  }

  @Test
  void aClaimThatLooksComesBeforeThoseWhoAreLeasedAhead() throws Exception {
    Places places = places(2);
    List<String> begun = withAGuest(places);
    CompletableFuture<Boolean> claim = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try {
                claim.complete(places.takeNext(50_000));
              } catch (InterruptedException e) {
                claim.completeExceptionally(e);
              }
            });
    while (waiting.getState() != Thread.State.TIMED_WAITING && waiting.isAlive()) {
      Thread.onSpinWait();
    }

    places.leave(false);

    assertThat(claim.get()).isTrue();
    waiting.join();
    assertThat(begun).isEmpty();
    places.giveBack(1);
    assertThat(begun).containsExactly("guest");
  }

  @Test
  void aClaimThatHasWaitedInVainIsInNobodysWay() throws Exception {
    Places places = places(2);
    List<String> begun = withAGuest(places);

    assertThat(places.takeNext(0)).isFalse();

    places.leave(false);
    assertThat(begun).containsExactly("guest");
  }

  @Test
  void aSlotThatGetsFreeWhenAClaimGivesUpIsSomebodysAllTheSame() throws Exception {
    AheadTest.Passing time = new AheadTest.Passing();
    Places places = new Places(2, time);
    time.meanwhile = () -> places.leave(false);
    List<String> begun = withAGuest(places);

    assertThat(places.takeNext(10)).isFalse();

    assertThat(begun).containsExactly("guest");
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
    places.leave(true);

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
