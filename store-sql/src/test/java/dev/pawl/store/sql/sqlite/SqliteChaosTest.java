package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.chaos.Chaos;
import dev.pawl.testkit.chaos.ChaosPlan;
import dev.pawl.testkit.chaos.ChaosReport;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged is finished, while worker processes on one file keep dying. */
@Timeout(600)
class SqliteChaosTest {
  @TempDir Path directory;

  @Test
  void everythingFinishesWhileWorkersAreKilledAndStopped() {
    ChaosReport report =
        Chaos.run(ChaosPlan.sqlite(4000), new Random().nextInt(), directory).assertSound();

    System.out.println(report);
    assertThat(report.done("workers killed (SIGKILL)")).isPositive();
    assertThat(report.counts().get("runs acknowledged")).isEqualTo(4200);
  }
}
