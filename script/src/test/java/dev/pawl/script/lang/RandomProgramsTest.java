package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Programs written at random give the same straight through and taken down at every await and at
 * every statement. {@code -Dpawl.random.seed=N} repeats one, {@code -Dpawl.random.programs=N} runs
 * more.
 */
class RandomProgramsTest {
  private static final long FIRST_SEED = Long.getLong("pawl.random.seed", 1);
  private static final int PROGRAMS = Integer.getInteger("pawl.random.programs", 300);

  @Test
  void aProgramThatIsTakenDownAndUpAgainGivesTheSame() {
    int interesting = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
      String source = new RandomProgram(seed).write();
      String straight = outcome(source, SpecWorld.Mode.STRAIGHT);
      assertThat(outcome(source, SpecWorld.Mode.RESTORED_AT_AWAITS))
          .as("seed %d\n%s", seed, source)
          .isEqualTo(straight);
      assertThat(outcome(source, SpecWorld.Mode.RESTORED_AT_STATEMENTS))
          .as("seed %d\n%s", seed, source)
          .isEqualTo(straight);
      interesting += straight.startsWith("Done") && straight.length() > 100 ? 1 : 0;
    }
    assertThat(interesting).as("programs that do something").isGreaterThan(PROGRAMS / 4);
  }

  private static String outcome(String source, SpecWorld.Mode mode) {
    Script script = Script.parse("random.flow", source).orThrow();
    SpecWorld world = new SpecWorld(new SpecCase("random.flow", ""), script, mode);
    Step step = world.run();
    return (step instanceof Step.Threw threw
            ? "Threw " + threw.error()
            : "Done " + ((Step.Done) step).value())
        + " after "
        + world.elapsed();
  }
}
