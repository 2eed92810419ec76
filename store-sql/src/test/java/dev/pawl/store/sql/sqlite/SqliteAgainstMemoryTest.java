package dev.pawl.store.sql.sqlite;

import dev.pawl.store.Store;
import dev.pawl.store.sql.AgainstMemory;
import dev.pawl.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SqliteAgainstMemoryTest {
  @TempDir Path directory;

  static LongStream seeds() {
    return AgainstMemory.seeds();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesWhatTheMemoryStoreDoes(long seed) {
    compare(seed, 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void twoStoresOnOneFileTakeTurnsAndDoWhatTheMemoryStoreDoes(long seed) {
    compare(seed + 1000, 2);
  }

  private void compare(long seed, int instances) {
    ManualClock clock = new ManualClock();
    Path file = directory.resolve("store-" + seed + ".db");
    SqliteOptions options =
        SqliteOptions.defaults().clock(clock).synchronous(SqliteOptions.Synchronous.NORMAL);
    try (Store first = SqliteStore.open(file, options);
        Store second = SqliteStore.open(file, options)) {
      new AgainstMemory(seed, clock).compare(List.of(first, second).subList(0, instances), 200);
    }
  }
}
