package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.graph.definition.Graph;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.CrashSweep;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Graphs made by chance give the same when their processes are killed at checkpoints that chance
 * decides. Every time they are others; {@code -Dpawl.seed=17} repeats the one with that seed.
 */
@Timeout(300)
class RandomGraphTest {
  /** So many are compared at least, and as many more as the time allows. */
  private static final int LEAST_GRAPHS = 10;

  private static final Duration TIME = Duration.ofSeconds(8);

  /** One more, and a node that is always hit would be taken for the cause. */
  private static final int DEATHS = 4;

  private static final String TYPE = "random.graph.v1";

  @Test
  void whoeverIsKilledTheResultIsTheSame() {
    Long only = Long.getLong("pawl.seed");
    if (only != null) {
      compareWith(only);
      return;
    }
    long first = System.nanoTime() & Integer.MAX_VALUE;
    long began = System.nanoTime();
    int graphs = 0;
    int deaths = 0;
    while (graphs < LEAST_GRAPHS || System.nanoTime() - began < TIME.toNanos()) {
      deaths += compareWith(first + graphs);
      graphs++;
    }
    System.out.println(graphs + " graphs from seed " + first + " on, " + deaths + " deaths");
    assertThat(deaths).as("processes that were killed").isGreaterThan(graphs);
  }

  private static int compareWith(long seed) {
    try {
      return compare(seed);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("with -Dpawl.seed=" + seed, e);
    }
  }

  private static int compare(long seed) {
    Graph graph = RandomGraph.make(new SplittableRandom(seed));
    CrashSweep sweep = new CrashSweep(MemoryStore::new);
    Recorded undisturbed = new Recorded(graph);
    sweep.killAtRandom(new SplittableRandom(seed), 0, undisturbed);
    Recorded killed = new Recorded(graph);
    int deaths = sweep.killAtRandom(new SplittableRandom(seed), DEATHS, killed);
    assertThat(graph.nodes()).hasSizeLessThanOrEqualTo(RandomGraph.MOST_NODES);
    assertThat(killed.end.get()).isEqualTo(undisturbed.end.get());
    return deaths;
  }

  /** A story that remembers how it ended. */
  private record Recorded(Graph graph, AtomicReference<Object> end) implements CrashSweep.Story {
    Recorded(Graph graph) {
      this(graph, new AtomicReference<>());
    }

    @Override
    public void register(Pawl process) {
      process.register(GraphType.of(TYPE, graph, RandomGraph.types()));
    }

    @Override
    public RunId begin(Pawl outside) {
      return outside.start(TYPE, Json.EMPTY_OBJECT, o -> o.maxAttempts(100)).id();
    }

    @Override
    public void check(Pawl outside, Run run) {
      Event last = outside.log(run.id()).getLast().event();
      end.set(
          last instanceof Event.Failed failed
              ? failed.failure().source() + failed.failure().code()
              : last);
    }
  }
}
