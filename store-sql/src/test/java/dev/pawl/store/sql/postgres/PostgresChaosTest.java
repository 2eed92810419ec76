package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.testkit.chaos.Chaos;
import dev.pawl.testkit.chaos.ChaosPlan;
import dev.pawl.testkit.chaos.ChaosReport;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was acknowledged is finished, while worker processes, the server itself and the network
 * between them keep failing; and nothing is done twice under one lease. Four worker processes and a
 * producer, 20,000 tasks and 1,000 flows; a random worker is killed every two seconds and another
 * stopped for longer than its lease every seven, the server stops twice as if the power had failed.
 */
@Timeout(600)
class PostgresChaosTest {
  @TempDir Path directory;

  @Test
  void everythingFinishesWhileWorkersTheServerAndTheNetworkFail() {
    ChaosPlan plan = ChaosPlan.postgres(20_000).withoutDelays();
    ChaosReport report = Chaos.run(plan, new Random().nextInt(), directory).assertSound();

    System.out.println(report);
    assertThat(report.done("workers killed (SIGKILL)")).isGreaterThanOrEqualTo(2);
    assertThat(report.done("servers stopped as by a power failure")).isEqualTo(2);
    assertThat(report.done("answers to a COMMIT lost")).isPositive();
    assertThat(report.counts().get("runs acknowledged")).isEqualTo(21_000);
  }
}
