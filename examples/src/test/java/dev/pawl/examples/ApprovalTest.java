package dev.pawl.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.examples.Approval.Decision;
import dev.pawl.examples.Approval.Request;
import dev.pawl.flow.Flow;
import dev.pawl.log.Event;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ApprovalTest {
  private static final Duration SOON = ofSeconds(10);
  private static final Request REQUEST = new Request("a new chair", "Ada");

  @TempDir private Path directory;

  @Test
  void theDecisionIsTheResult() {
    Flow<Request, String> approval = Approval.approval(ofMinutes(1));
    try (Pawl pawl = open(approval)) {
      RunHandle<String> run = pawl.start(approval, REQUEST);
      run.signal("decision", new Decision(true, "Grace"));
      assertThat(run.result(SOON)).isEqualTo("approved by Grace");
    }
  }

  @Test
  void withoutADecisionItExpiresAndSaysSo() {
    Flow<Request, String> approval = Approval.approval(ofMillis(50));
    try (Pawl pawl = open(approval)) {
      RunHandle<String> run = pawl.start(approval, REQUEST);
      assertThat(run.result(SOON)).isEqualTo("expired");
      assertThat(pawl.log(run.id()))
          .anyMatch(entry ->
              entry.event() instanceof Event.Logged line
                  && line.message().equals("nobody answered Ada within PT0.05S"));
    }
  }

  private Pawl open(Flow<Request, String> approval) {
    Pawl pawl = Pawl.open("sqlite:" + directory.resolve("office.db"));
    pawl.register(approval).work();
    return pawl;
  }
}
