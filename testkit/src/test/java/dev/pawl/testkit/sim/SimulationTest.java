package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.pawl.doctor.Violation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The engine keeps its promises on every seed, and a broken one is noticed. */
class SimulationTest {
  private static final int SEEDS = 20_000;

  /** Others in every build; {@code -Dpawl.seed=} plays those of another build again. */
  private static final long FIRST_SEED = Long.getLong("pawl.seed", Simulation.freshSeed());

  private static final int SEEDS_PER_BUG = 10_000;
  private static final int SEEDS_PER_DEED = 300;

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.pawl");
  private static final Level BEFORE = LOG.getLevel();

  /** The engine says of each simulated trouble that it had it. */
  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(BEFORE);
  }

  @Test
  void everySeedKeepsEveryPromise() {
    ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    System.out.println("playing " + SEEDS + " seeds from " + FIRST_SEED + " on");
    Simulation.Figures figures = Simulation.play(FIRST_SEED, SEEDS, List.of(), failures::add);
    assertThat(failures).as("seeds from %s on", FIRST_SEED).isEmpty();
    assertThat(figures.missing(List.of())).isEmpty();
    assertThat(figures.seeds()).isGreaterThanOrEqualTo(SEEDS);
    assertThat(figures.replayed()).isGreaterThanOrEqualTo(SEEDS / 100);
    assertThat(figures.orders()).isGreaterThan(SEEDS);
  }

  @ParameterizedTest
  @EnumSource
  void aPlantedBugIsFound(Bug bug) {
    long base = Simulation.freshSeed();
    boolean found =
        LongStream.range(base, base + SEEDS_PER_BUG)
            .anyMatch(seed -> !violations(seed, bug).isEmpty());
    assertThat(found).as("%s, in seeds from %s on", bug, base).isTrue();
  }

  /** Seeds that once broke a promise; docs/reliability.md says what was wrong. */
  @ParameterizedTest
  @ValueSource(longs = {207_191_702_875_089L, 207_191_702_889_915L, 181_911_294_055_812L})
  void aSeedThatOnceFailedKeepsItsPromises(long seed) {
    assertThat(Simulation.violations(seed, List.of())).isEmpty();
  }

  @Test
  void aPlayInWhichNobodyCouldRetryIsNoPass() {
    Sabotage refused =
        (memory, clock) ->
            new Planted(memory, clock) {
              @Override
              protected Outcome carryOut(Command command) {
                return command instanceof Command.Rewind rewind
                    ? new Outcome.Missing(rewind.run())
                    : super.carryOut(command);
              }
            };
    List<String> failures = new CopyOnWriteArrayList<>();
    Simulation.Figures figures =
        Simulation.play(
            Simulation.freshSeed(),
            SEEDS_PER_DEED,
            SEEDS_PER_DEED,
            refused,
            List.of(),
            failures::add);
    assertThat(figures.missing(List.of())).containsExactlyInAnyOrder(Deed.RETRY, Deed.REWIND);
    assertThat(figures.failed()).isEqualTo(1);
    assertThat(failures).hasSize(2).anyMatch(told -> told.contains("no REWIND succeeded"));
  }

  private static List<Violation> violations(long seed, Bug bug) {
    return new Episode(seed, bug.sabotage()).play().violations();
  }
}
