package dev.pawl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.bench.works.Work;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** That the bench can still be run; nothing here says how fast anything is. */
class SmokeTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path directory;

  private record Said(int exit, String out, String err) {}

  private static Said bench(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        Main.run(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            words);
    return new Said(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static List<JsonNode> lines(Said said) {
    List<JsonNode> lines = new ArrayList<>();
    said.out().lines().forEach(line -> lines.add(JSON.readTree(line)));
    return lines;
  }

  @Test
  void pawlOnSqliteIsMeasuredAtEveryWorkThatTakesNoLongWait() {
    Said said =
        bench(
            "--peers",
            "--quick",
            "--json",
            "--systems=pawl-sqlite",
            "--work=task,flow5,flow1,signal,sleepers,fanout1000,parked,payload,startup,long",
            "--concurrency=8",
            "--runs=30");
    assertThat(said.exit()).as(said.err()).isZero();
    List<JsonNode> lines = lines(said);
    for (Work work : Work.values()) {
      if (work != Work.RECOVERY) {
        assertThat(lines)
            .as("%s among %s; errors: %s", work, said.out(), said.err())
            .anyMatch(line ->
                line.path("work").asString().equals(work.word())
                    && line.path("system").asString().equals("pawl")
                    && line.path("store").asString().equals("sqlite")
                    && line.path("runsPerSecond").asDouble() > 0
                    && line.has("concurrency")
                    && line.has("p50Millis")
                    && line.has("p99Millis"));
      }
    }
    assertThat(lines).anyMatch(line -> line.path("system").asString().equals("raw-batched"));
    assertThat(lines)
        .as("what a command allocates is watched")
        .anyMatch(line -> line.path("bytesPerCommand").asDouble() > 0);
  }

  @Test
  void theStoreIsGrownAndThePageWritten() throws Exception {
    Said said =
        bench(
            "--peers",
            "--quick",
            "--systems=pawl-sqlite",
            "--grow=0,1500",
            "--runs=50",
            "--out=" + directory);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out()).contains("1,500", "claim, median, sqlite");
    assertThat(Files.readString(directory.resolve("benchmarks.md"))).contains("1,500 stored");
    assertThat(Files.readString(directory.resolve("benchmarks.svg"))).startsWith("<svg");
  }

  @Test
  void theEnginesOfTheJvmTakePart() {
    Said said =
        bench(
            "--peers",
            "--quick",
            "--json",
            "--systems=dbos,db-scheduler,jobrunr,temporal-test",
            "--work=task",
            "--runs=10");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(lines(said))
        .as(said.err())
        .extracting(line -> line.path("work").asString() + " " + line.path("system").asString())
        .containsExactlyInAnyOrder(
            "task dbos", "task db-scheduler", "task jobrunr", "task temporal-test");
    assertThat(said.err()).contains("fsync on", "synchronous_commit on");
  }

  @Test
  void whatCannotBeAskedForIsExplained() {
    Said said = bench("--peers", "--work=nothing");
    assertThat(said.exit()).isEqualTo(64);
    assertThat(said.err()).contains("'nothing' is not a work", "flow5");
    assertThat(bench("--peers", "--systems=cron").err()).contains("'cron' takes no part", "dbos");
  }

  @Test
  void theClaimIsMeasuredBesideRunsItDoesNotWant() {
    Said said = bench("--peers", "--json", "--claims=2000", "--runs=20");
    assertThat(said.exit()).as(said.err()).isZero();
    JsonNode figures = lines(said).getFirst();
    assertThat(figures.get("stored").asInt()).isEqualTo(2000);
    assertThat(figures.get("ratio").asDouble()).isPositive();
    assertThat(figures.get("idleRatio").asDouble()).isPositive();
  }
}
