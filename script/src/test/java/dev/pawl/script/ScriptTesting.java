package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import org.junit.jupiter.api.AfterEach;

/** A house for each test, and what its runs must have come to. */
abstract class ScriptTesting {
  ScriptHouse house = new ScriptHouse();

  @AfterEach
  void close() {
    house.close();
  }

  /** The result of a run that has succeeded. */
  final String succeed(Run run) {
    assertThat(run.status()).as("%s %s", run.lastError(), run).isEqualTo(Status.SUCCEEDED);
    house.checkHealth();
    return run.result().orElseThrow().text();
  }

  /** The failure of a run that has failed. */
  final Failure fail(Run run) {
    assertThat(run.status()).as(run.toString()).isEqualTo(Status.FAILED);
    house.checkHealth();
    return run.lastError().orElseThrow();
  }
}
