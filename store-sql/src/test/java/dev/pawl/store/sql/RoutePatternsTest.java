package dev.pawl.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.store.sql.postgres.PostgresOptions;
import dev.pawl.store.sql.postgres.PostgresStore;
import dev.pawl.store.sql.sqlite.SqliteOptions;
import dev.pawl.store.sql.sqlite.SqliteStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Made-up patterns find, in every store, exactly the runs whose types they match: in claims and in
 * lists. {@code -Dpawl.seed=17} repeats one.
 */
@Timeout(120)
class RoutePatternsTest {
  private static final int ROUNDS = 120;
  private static final List<String> LETTERS =
      List.of(
          "a", "b", "A", ".", "_", "-", "\\", "*", "[", "ä", "ß", "\uffff", "😀", "\u00ff", "'");

  @TempDir Path directory;

  @Test
  void aPatternFindsTheSameRunsInEveryStore() {
    long seed = Long.getLong("pawl.seed", new Random().nextInt());
    ManualClock clock = new ManualClock();
    PostgresOptions options = PostgresOptions.defaults().clock(clock).hints(false);
    try (Store memory = new MemoryStore(clock);
        Store sqlite =
            SqliteStore.open(directory.resolve("store.db"), SqliteOptions.defaults().clock(clock));
        Store postgres = PostgresStore.open(PostgresServer.shared().database(), options)) {
      check(new SplittableRandom(seed), "seed " + seed, List.of(memory, sqlite, postgres));
    }
  }

  private static void check(SplittableRandom chance, String place, List<Store> stores) {
    Map<RunId, String> waiting = new HashMap<>();
    Map<RunId, String> all = new HashMap<>();
    for (int i = 0; i < ROUNDS; i++) {
      List<Command> starts = new ArrayList<>();
      for (int n = 0; n < 4; n++) {
        NewRun run = NewRun.of(Scene.id(), word(chance, 1), Json.NULL);
        starts.add(new Command.Start(run));
        waiting.put(run.id(), run.type());
        all.put(run.id(), run.type());
      }
      String pattern = word(chance, 0) + (chance.nextInt(4) > 0 ? "%" : "x");
      String name = pattern.equals("x") ? "a" : pattern;
      Set<RunId> expected = matching(name, waiting);
      for (Store store : stores) {
        store.commit(starts);
        assertThat(claimed(store, name, i)).as(place + " '" + name + "'").isEqualTo(expected);
        assertThat(listed(store, name))
            .as(place + " '" + name + "'")
            .isEqualTo(matching(name, all));
      }
      waiting.keySet().removeAll(expected);
    }
  }

  private static String word(SplittableRandom chance, int least) {
    StringBuilder word = new StringBuilder();
    for (int length = least + chance.nextInt(4); length > 0; length--) {
      word.append(LETTERS.get(chance.nextInt(LETTERS.size())));
    }
    return word.toString();
  }

  /** Says what a pattern means in its own words. */
  private static Set<RunId> matching(String pattern, Map<RunId, String> runs) {
    String prefix = pattern.substring(0, pattern.length() - 1);
    return runs.entrySet().stream()
        .filter(run ->
            pattern.endsWith("%")
                ? run.getValue().indexOf(prefix) == 0
                : run.getValue().equals(pattern))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static Set<RunId> claimed(Store store, String pattern, int ticket) {
    Command.Claimant by = new Command.Claimant("worker", java.time.Duration.ofDays(1), ticket);
    Outcome.Claimed claimed =
        (Outcome.Claimed) Scene.commit(store, new Command.Claim(by, Routes.of(pattern), 1000));
    Set<RunId> ids = new HashSet<>();
    claimed.activations().forEach(activation -> ids.add(activation.run().id()));
    return ids;
  }

  private static Set<RunId> listed(Store store, String pattern) {
    return store.list(Query.all().withType(pattern).withLimit(Query.MAX_LIMIT)).stream()
        .map(Run::id)
        .collect(Collectors.toSet());
  }
}
