package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Broken scripts get clear answers: errors with places, or a run within its limits. {@code
 * -Dpawl.fuzz.tries=N} hunts longer, {@code -Dpawl.fuzz.seed=N} elsewhere.
 */
class FuzzTest {
  private static final long SEED = Long.getLong("pawl.fuzz.seed", 1);
  private static final int TRIES = Integer.getInteger("pawl.fuzz.tries", 8_000);
  private static final Limits SMALL =
      Limits.DEFAULT
          .withOperations(20_000)
          .withHeapBytes(1 << 20)
          .withTextLength(1 << 16)
          .withDepth(100);

  @Test
  void noScriptCrashesTheParserOrTheMachine() throws IOException {
    assertThat(new Fuzzer(SEED, seeds()).hunt(TRIES, FuzzTest::run)).isEmpty();
  }

  /** A fuzzer that finds nothing must be able to find something. */
  @Test
  void aPlantedCrashIsFound() throws IOException {
    assertThat(
            new Fuzzer(SEED, seeds())
                .hunt(
                    200_000,
                    source -> {
                      if (Script.parse("canary", source) instanceof ScriptErrors errors
                          && errors.errors().size() > 1
                          && source.contains("=>??")) {
                        throw new IllegalStateException("the canary");
                      }
                    }))
        .contains("the canary");
  }

  private static List<String> seeds() throws IOException {
    List<String> seeds = new ArrayList<>();
    for (Path path : SpecTest.files()) {
      seeds.add(Files.readString(path));
    }
    return seeds;
  }

  private static void run(String source) {
    switch (Script.parse("fuzz.flow", source)) {
      case ScriptErrors errors -> {
        assertThat(errors.errors()).isNotEmpty();
        assertThat(errors.show()).isNotEmpty();
      }
      case Script script -> runToItsEnd(script);
    }
  }

  /** Answers whatever is asked, from a snapshot each time, for a few turns. */
  private static void runToItsEnd(Script script) {
    Machine machine =
        Machine.start(script, "{\"a\":[1]}", new RunContext("r", "t", 1), new FixedHost(), SMALL);
    Step step = machine.run();
    for (int turn = 0; turn < 8 && step instanceof Step.Waiting waiting; turn++) {
      machine.views();
      machine = Machine.restore(script, machine.snapshot(), new FixedHost(), SMALL);
      for (Step.Pending pending : waiting.pending()) {
        if (pending.operation().op() % 3 == 0) {
          machine.fail(pending.operation().op(), Failure.of("FUZZ", "no"));
        } else {
          machine.settle(pending.operation().op(), "{\"x\":[1,\"a\",null]}");
        }
      }
      step = machine.run();
    }
  }
}
