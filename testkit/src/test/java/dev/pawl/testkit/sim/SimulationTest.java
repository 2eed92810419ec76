package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.doctor.Violation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine keeps its promises on every seed, and a broken one is noticed. */
class SimulationTest extends SeedsContract {
  private static final int SEEDS = 20_000;
  private static final int SEEDS_PER_BUG = 10_000;
  private static final int SEEDS_PER_DEED = 300;

  SimulationTest() {
    super(SEEDS, List.of());
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
  @ValueSource(
      longs = {
        207_191_702_875_089L,
        207_191_702_889_915L,
        181_911_294_055_812L,
        180_307_932_678_774L,
        190_769_487_578_777L,
        195_611_011_506_247L,
        202_778_676_812_000L,
        165_111_880_684_377L
      })
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
