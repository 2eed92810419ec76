package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Broken scripts get clear answers: errors with places, or a run within its limits. {@code
 * -Dpawl.fuzz.seconds=N} hunts for so long instead of for some thousand tries, {@code
 * -Dpawl.fuzz.seed=N} elsewhere.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FuzzTest {
  private static final long SEED = Long.getLong("pawl.fuzz.seed", 1);
  private static final int TRIES = 8_000;
  private static final int CANARY_TRIES = 200_000;
  private static final long SECONDS = Long.getLong("pawl.fuzz.seconds", 0);
  private static final int TURNS = 8;
  private static final Limits SMALL =
      Limits.DEFAULT
          .withOperations(20_000)
          .withHeapBytes(1 << 20)
          .withTextLength(1 << 16)
          .withDepth(100);

  private long accepted;
  private long ended;
  private long turns;
  private long slowestNanos;

  @Test
  void noScriptCrashesTheParserOrTheMachine() throws IOException {
    Fuzzer fuzzer = new Fuzzer(SEED, seeds());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    String found =
        fuzzer.hunt(
            () -> SECONDS == 0 ? fuzzer.executions() < TRIES : System.nanoTime() < end,
            this::timed);
    System.out.printf(
        "fuzzed with seed %d: %,d scripts, %,d of them accepted, %,d turns, %,d ran to an end, the"
            + " slowest took %d ms%n",
        SEED,
        fuzzer.executions(),
        accepted,
        turns,
        ended,
        TimeUnit.NANOSECONDS.toMillis(slowestNanos));
    assertThat(found).isEmpty();
    assertThat(ended).as("scripts that the machine ran to an end").isGreaterThan(TRIES / 20);
  }

  /** A fuzzer that finds nothing must be able to find something: in the parser … */
  @Test
  void aCrashPlantedInTheParserIsFound() throws IOException {
    assertThat(
            new Fuzzer(SEED, seeds())
                .hunt(
                    CANARY_TRIES,
                    source -> {
                      if (Script.parse("canary", source) instanceof ScriptErrors errors
                          && errors.errors().size() > 2
                          && source.contains("\u2028")
                          && source.contains("class A {")) {
                        throw new IllegalStateException("the canary");
                      }
                    }))
        .contains("the canary");
  }

  /** … and in the machine: behind a suspension, on the way out of a failure. */
  @Test
  void aCrashPlantedInTheMachineIsFound() throws IOException {
    assertThat(
            new Fuzzer(SEED, seeds())
                .hunt(
                    CANARY_TRIES,
                    source -> {
                      long before = turns;
                      if (Script.parse("canary", source) instanceof Script script
                          && runToItsEnd(script) instanceof Step.Threw threw
                          && turns - before > 2
                          && threw.error().code().matches("TYPE_ERROR|PROPERTY_NOT_FOUND")) {
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

  private void timed(String source) {
    long began = System.nanoTime();
    run(source);
    slowestNanos = Math.max(slowestNanos, System.nanoTime() - began);
  }

  private void run(String source) {
    switch (Script.parse("fuzz.flow", source)) {
      case ScriptErrors errors -> {
        assertThat(errors.errors()).isNotEmpty();
        assertThat(errors.show()).isNotEmpty();
      }
      case Script script -> {
        accepted++;
        ended += runToItsEnd(script) instanceof Step.Waiting ? 0 : 1;
      }
    }
  }

  /** Answers whatever is asked, from a snapshot each time, for a few turns. */
  private Step runToItsEnd(Script script) {
    Machine machine =
        Machine.start(script, "{\"a\":[1]}", new RunContext("r", "t", 1), new FixedHost(), SMALL);
    Step step = machine.run();
    turns++;
    for (int turn = 0; turn < TURNS && step instanceof Step.Waiting waiting; turn++) {
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
      turns++;
    }
    return step;
  }
}
