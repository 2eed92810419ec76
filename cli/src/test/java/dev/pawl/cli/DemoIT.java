package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {
  @TempDir Path directory;

  @Test
  void everyOrderIsChargedOnceAndShippedOnce() {
    String out = PawlProcess.ok(directory, "demo");
    assertThat(out)
        .contains(
            "kill -9", "12 of 12 orders shipped once, 12 charged once", "The crash interrupted")
        .contains("step.completed", "resumed by", "Look around")
        .doesNotContain("\u001b[");
  }

  @Test
  void jsonSumsItUp() {
    Json sum = Json.parse(PawlProcess.ok(directory, "demo", "--json"));
    assertThat(sum.member("kept")).isEqualTo(Json.TRUE);
    assertThat(sum.member("shippedOnce").text()).isEqualTo("12");
    assertThat(Integer.parseInt(sum.member("interrupted").text())).isPositive();
    String store = sum.member("store").text().replace("\"", "");
    assertThat(PawlProcess.ok(directory, "doctor", "--store", store)).contains("all is well");
  }
}
