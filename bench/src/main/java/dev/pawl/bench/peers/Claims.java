package dev.pawl.bench.peers;

import dev.pawl.Pawl;
import dev.pawl.cli.bench.Latencies;
import dev.pawl.json.Json;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import java.time.Duration;
import java.util.List;

/** Times claims, straight at the store and with nobody else at work. */
final class Claims {
  private static final String TYPE = "bench.claimed.v1";
  private static final int CLAIMS = 200;
  private static final int AT_ONCE = 5;

  private Claims() {}

  static double medianMillis(Pawl pawl) {
    for (int i = 0; i < CLAIMS * AT_ONCE; i++) {
      pawl.start(TYPE, Json.NULL, options -> options);
    }
    Latencies latencies = new Latencies(CLAIMS);
    for (int i = 0; i < CLAIMS; i++) {
      Command claim =
          new Command.Claim(
              new Command.Claimant("bench", Duration.ofMinutes(5), i + 1L),
              Routes.of(TYPE),
              AT_ONCE);
      long start = System.nanoTime();
      Outcome outcome = pawl.store().commit(List.of(claim)).get(0);
      latencies.set(i, System.nanoTime() - start);
      if (!(outcome instanceof Outcome.Claimed claimed)
          || claimed.activations().size() != AT_ONCE) {
        throw new IllegalStateException(
            "a claim of " + AT_ONCE + " runs came back with " + outcome);
      }
    }
    return latencies.percentileMillis(0.5);
  }
}
