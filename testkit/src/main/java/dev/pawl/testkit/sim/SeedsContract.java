package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * The engine keeps its promises on every seed: others in every build, {@code -Dpawl.seed=} plays
 * those of another build again.
 */
public abstract class SeedsContract {
  private static final long FIRST_SEED = Long.getLong("pawl.seed", Simulation.freshSeed());
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.pawl");
  private static final Level BEFORE = LOG.getLevel();

  private final int seeds;
  private final List<Notation> notations;

  /**
   * @param seeds how many to play
   * @param notations what plans may be written in, besides Java
   */
  protected SeedsContract(int seeds, List<Notation> notations) {
    this.seeds = seeds;
    this.notations = notations;
  }

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
    System.out.println("playing " + seeds + " seeds from " + FIRST_SEED + " on");
    Simulation.Figures figures = Simulation.play(FIRST_SEED, seeds, notations, failures::add);
    assertThat(failures).as("seeds from %s on", FIRST_SEED).isEmpty();
    assertThat(figures.missing(notations)).isEmpty();
    assertThat(figures.seeds()).isGreaterThanOrEqualTo(seeds);
    assertThat(figures.replayed()).isGreaterThanOrEqualTo(seeds / 100);
    assertThat(figures.orders()).isGreaterThan(seeds);
  }
}
