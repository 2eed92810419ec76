package dev.pawl.bench.peers;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import java.time.Duration;
import java.util.Arrays;

/**
 * A flow of many steps that then waits for a signal. While its process lives it goes on in place;
 * another process that gets the signal has to run it again from the top over what is recorded.
 */
final class LongFlow {
  private static final int LAP = 1000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static volatile double[] laps = new double[0];

  static final Flow<Integer, Integer> FLOW =
      Flow.define(
          "bench.long.v1",
          Integer.class,
          Integer.class,
          (ctx, steps) -> {
            double[] times = new double[steps / LAP];
            long start = System.nanoTime();
            for (int i = 0; i < steps; i++) {
              int n = i;
              ctx.step("step", Integer.class, () -> n);
              if ((i + 1) % LAP == 0) {
                long now = System.nanoTime();
                times[i / LAP] = (now - start) / 1e6;
                start = now;
              }
            }
            laps = times;
            ctx.awaitSignal("go", Integer.class);
            return steps;
          });

  private LongFlow() {}

  /** Runs one until it waits; returns the milliseconds of each thousand steps. */
  static double[] run(Pawl pawl, int steps) throws InterruptedException {
    RunHandle<Integer> run = pawl.start(FLOW, steps);
    while (run.run().status() != Status.SUSPENDED) {
      if (run.run().status().isTerminal()) {
        run.result(PATIENCE);
      }
      Thread.sleep(1);
    }
    return Arrays.copyOf(laps, laps.length);
  }

  /** Signals one of so many steps; returns how many seconds it took it to come to its end. */
  static double finish(Pawl pawl, int steps) {
    RunId waiting =
        pawl.list(Query.all().withType(FLOW.type()).withStatus(Status.SUSPENDED)).stream()
            .filter(run -> run.payload().text().equals(Integer.toString(steps)))
            .findFirst()
            .orElseThrow()
            .id();
    long start = System.nanoTime();
    pawl.signal(waiting, "go", 1);
    pawl.handle(waiting).result(PATIENCE);
    return (System.nanoTime() - start) / 1e9;
  }
}
