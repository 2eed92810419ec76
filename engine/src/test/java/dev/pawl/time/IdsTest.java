package dev.pawl.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IdsTest {

  @Test
  void idsAreOfVersionSevenAndTheRightVariant() {
    for (int i = 0; i < 10_000; i++) {
      UUID id = Ids.next();
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
    }
  }

  @Test
  void idsGrowAlsoWithinAMillisecond() {
    List<RunId> ids = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      ids.add(new RunId(Ids.next()));
    }

    assertThat(ids).isSorted().doesNotHaveDuplicates();
    assertThat(ids.stream().map(RunId::toString).toList()).isSorted();
  }

  @Test
  void anIdBeginsWithTheTimeItWasMade() {
    long before = System.currentTimeMillis();
    long millis = Ids.next().getMostSignificantBits() >>> 16;

    assertThat(millis).isBetween(before, System.currentTimeMillis() + 1000);
  }

  @Test
  void idsOfManyThreadsAreAllDifferent() {
    Set<UUID> ids = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 40_000).parallel().forEach(i -> ids.add(Ids.next()));

    assertThat(ids).hasSize(40_000);
  }
}
