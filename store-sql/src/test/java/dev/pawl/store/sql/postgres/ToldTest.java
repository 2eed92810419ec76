package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.RunId;
import dev.pawl.store.sql.Scene;
import org.junit.jupiter.api.Test;

class ToldTest {
  private final Told told = new Told();

  @Test
  void whatWasSaidIsForOneClaim() {
    RunId one = Scene.id();
    RunId other = Scene.id();
    told.add(one);
    told.add(other);
    told.add(one);

    assertThat(told.take()).containsExactly(one, other);
    assertThat(told.take()).isEmpty();
  }

  @Test
  void whereThereIsMoreAClaimLooksForAll() {
    told.add(Scene.id());
    told.more();

    assertThat(told.take()).isEmpty();
    told.add(Scene.id());
    assertThat(told.take()).hasSize(1);
  }

  @Test
  void ofManyAClaimLooksForAll() {
    for (int i = 0; i < 9; i++) {
      told.add(Scene.id());
    }

    assertThat(told.take()).isEmpty();
  }

  @Test
  void howeverMuchIsSaidAllIsLookedForNowAndThen() {
    for (int i = 0; i < 4; i++) {
      told.add(Scene.id());
      assertThat(told.take()).hasSize(1);
    }

    told.add(Scene.id());
    assertThat(told.take()).isEmpty();
    told.add(Scene.id());
    assertThat(told.take()).hasSize(1);
  }
}
