package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worker processes on one file, and what becomes of the work when they die. */
class WorkersIT {
  @TempDir Path directory;

  private Path effects() {
    return directory.resolve("effects");
  }

  private List<String> effectLines() {
    return PawlProcess.read(effects()).lines().toList();
  }

  private List<String> startTasks(int number) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < number; i++) {
      lines.append("{\"n\":").append(i).append("}\n");
    }
    String[] words = {"start", "t.v1", "--lines", "-", "--max-attempts", "100"};
    List<String> ids =
        PawlProcess.typing(directory, lines.toString(), words).succeed().lines().toList();
    assertThat(ids).hasSize(number);
    return ids;
  }

  private String exec() {
    return "t.v1=echo $PAWL_RUN >> " + effects();
  }

  @Test
  void fiftyKillsAtRandomMomentsLoseNoneOfTwoThousandTasks() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    List<String> ids = startTasks(2000);
    int interrupted = 0;
    for (int round = 0; round < 50; round++) {
      PawlProcess worker =
          PawlProcess.start(directory, "work", "-x", exec(), "-c", "4", "--lease", "1s", "--quiet");
      int goal = effectLines().size() + random.nextInt(80);
      long limit = System.nanoTime() + random.nextLong(2_500_000_000L);
      while (effectLines().size() <= goal && System.nanoTime() < limit) {
        LockSupport.parkNanos(3_000_000);
      }
      interrupted += worker.isAlive() ? 1 : 0;
      worker.kill();
    }
    assertThat(interrupted).as("workers killed, seed %d", seed).isEqualTo(50);
    int before = effectLines().size();
    PawlProcess.ok(
        directory,
        "work",
        "-x",
        exec(),
        "-c",
        "8",
        "--until-idle",
        "--due-within",
        "5s",
        "--quiet");
    System.out.printf(
        "seed %d: %d effects under fire, %d in all%n", seed, before, effectLines().size());
    assertThat(new HashSet<>(effectLines())).as("seed %d", seed).containsAll(ids);
    assertAllSucceeded(2000);
    assertThat(PawlProcess.ok(directory, "doctor")).contains("all is well", "2000 runs");
  }

  @Test
  void twoWorkersShareFiveThousandTasksAndRunNoneTwice() {
    List<String> ids = startTasks(5000);
    String[] work = {"work", "-x", exec(), "-c", "4", "--until-idle", "--quiet", "--json"};
    PawlProcess one = PawlProcess.start(directory, work);
    PawlProcess two = PawlProcess.start(directory, work);
    int first = succeeded(one.succeed());
    int second = succeeded(two.succeed());
    assertThat(first + second).isEqualTo(5000);
    assertThat(first).isPositive();
    assertThat(second).isPositive();
    assertThat(effectLines()).containsExactlyInAnyOrderElementsOf(ids);
    assertAllSucceeded(5000);
    assertThat(PawlProcess.ok(directory, "doctor")).contains("all is well", "5000 runs");
  }

  private static int succeeded(String out) {
    Json summary = Json.parse(out.lines().toList().getLast()).member("summary");
    return Integer.parseInt(summary.member("succeeded").text());
  }

  private void assertAllSucceeded(int number) {
    assertThat(PawlProcess.ok(directory, "stats", "--json"))
        .contains(
            "\"pending\":0,\"running\":0,\"suspended\":0,\"succeeded\":"
                + number
                + ",\"failed\":0,\"cancelled\":0");
  }

  @Test
  void aWorkerThatIsToldToStopFinishesWhatItHas() {
    startTasks(1);
    String exec = "t.v1=echo up >> %1$s; sleep 1; echo done >> %1$s; echo 1".formatted(effects());
    PawlProcess worker = PawlProcess.start(directory, "work", "-x", exec);
    Shell.until("the task is up", () -> effectLines().contains("up"));
    worker.terminate();
    assertThat(worker.exit()).isZero();
    assertThat(effectLines()).containsExactly("up", "done");
    assertThat(worker.err()).contains("finishing what runs", "1 succeeded");
    assertAllSucceeded(1);
  }

  @Test
  void whatDoesNotFinishInTimeIsGivenBackUnharmed() {
    startTasks(1);
    String exec = "t.v1=echo up >> %1$s; sleep 60; echo done >> %1$s".formatted(effects());
    PawlProcess worker = PawlProcess.start(directory, "work", "-x", exec, "--drain", "300ms");
    Shell.until("the task is up", () -> effectLines().contains("up"));
    worker.terminate();
    assertThat(worker.exit()).isZero();
    assertThat(worker.err()).contains("given back", "1 released");
    Json run = Json.parse(PawlProcess.ok(directory, "show", "last", "--json"));
    assertThat(run.member("status").text()).isEqualTo("\"pending\"");
    assertThat(run.member("attempt").text()).isEqualTo("0");
    assertThat(PawlProcess.ok(directory, "log", "last")).contains("released");
  }

  @Test
  void commandsDieWithAWorkerThatIsKilled() {
    startTasks(1);
    String exec = "t.v1=sleep 300 & echo $! >> %1$s; echo $$ >> %1$s; wait".formatted(effects());
    PawlProcess worker = PawlProcess.start(directory, "work", "-x", exec);
    Shell.until("both processes are up", () -> effectLines().size() == 2);
    worker.kill();
    for (String pid : effectLines()) {
      Shell.until(
          "process " + pid + " is gone", () -> ProcessHandle.of(Long.parseLong(pid)).isEmpty());
    }
  }
}
