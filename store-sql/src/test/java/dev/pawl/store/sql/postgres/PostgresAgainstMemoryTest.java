package dev.pawl.store.sql.postgres;

import dev.pawl.store.Store;
import dev.pawl.store.sql.AgainstMemory;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.postgres.PostgresServer;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PostgresAgainstMemoryTest {
  private static final String URL = PostgresServer.shared().database();

  static LongStream seeds() {
    return AgainstMemory.seeds();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoStoresOnOneDatabaseTakeTurnsAndDoWhatTheMemoryStoreDoes(long seed) {
    ManualClock clock = new ManualClock();
    PostgresServer.empty(URL);
    PostgresOptions options = PostgresOptions.defaults().clock(clock).hints(seed % 2 == 0);
    try (Store first = PostgresStore.open(URL, options);
        Store second = PostgresStore.open(URL, options)) {
      new AgainstMemory(seed, clock).compare(List.of(first, second), 200);
    }
  }
}
