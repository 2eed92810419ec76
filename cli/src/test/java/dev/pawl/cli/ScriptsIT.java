package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in processes that are killed, and what becomes of them in others. */
class ScriptsIT {
  private static final String SCRIPT =
      """
      ---
      name: trip.book.v1
      ---
      const { stops } = Inputs
      const plan = { legs: [], undo: [] }
      const undo = plan.undo
      for (const stop of stops) {
        const [flight, hotel] = await Promise.all([
          Task.run("trip.flight.v1", { stop }, { retry: 50 }),
          Task.run("trip.hotel.v1", { stop }, { retry: 50 })
        ])
        plan.legs.push(`${stop}:${flight}:${hotel}`)
        undo.push(flight)
        await Timer.delay("50ms")
      }
      let refused = null
      try {
        await Task.run("trip.visa.v1", { stops }, { retry: 50 })
      } catch (e) {
        refused = e.code
        for (const flight of undo) await Task.run("trip.cancel.v1", flight, { retry: 50 })
      }
      return { legs: plan.legs, same: plan.undo === undo, cancelled: undo.length, refused }
      """;
  private static final String INPUTS = "{\"stops\":[\"oslo\",\"rome\",\"lima\",\"baku\"]}";
  private static final String RESULT =
      "{\"legs\":[\"oslo:F-1:H-1\",\"rome:F-1:H-1\",\"lima:F-1:H-1\",\"baku:F-1:H-1\"],"
          + "\"same\":true,\"cancelled\":4,\"refused\":\"COMMAND_FAILED\"}";

  @TempDir Path directory;
  private String file;

  @BeforeEach
  void writeScript() throws Exception {
    file = Files.writeString(directory.resolve("trip.flow"), SCRIPT).toString();
  }

  private Path effects() {
    return directory.resolve("effects");
  }

  private List<String> effectLines() {
    return PawlProcess.read(effects()).lines().toList();
  }

  private String[] withCommands(String... words) {
    String note = "echo $PAWL_TYPE >> " + effects() + "; sleep 0.1; ";
    String[] commands = {
      "-x",
      "trip.flight.v1=" + note + "echo F-1",
      "-x",
      "trip.hotel.v1=" + note + "echo H-1",
      "-x",
      "trip.visa.v1=" + note + "exit 65",
      "-x",
      "trip.cancel.v1=" + note + "echo ok",
      "--lease",
      "1s",
      "--quiet"
    };
    String[] all = new String[words.length + commands.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(commands, 0, all, words.length, commands.length);
    return all;
  }

  @Test
  void aRunThatNobodyKillsGivesItsResult() {
    assertThat(PawlProcess.ok(directory, withCommands("run", file, INPUTS)).strip())
        .isEqualTo(RESULT);
    assertThat(effectLines()).hasSize(4 + 4 + 1 + 4);
  }

  @Test
  void aRunWhoseProcessIsKilledIsEndedByAnotherWorkerWithTheSameResult() {
    PawlProcess first = PawlProcess.start(directory, withCommands("run", file, INPUTS));
    Shell.until("it is in the middle", () -> effectLines().size() >= 5);
    assertThat(first.isAlive()).isTrue();
    first.kill();
    PawlProcess.ok(directory, withCommands("work", "--until-idle", "--due-within", "5s"));
    assertEnded();
  }

  @Test
  void aRunSurvivesManyKillsAtRandomMoments() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    System.out.println("seed " + seed);
    PawlProcess.start(directory, withCommands("run", file, INPUTS, "--wait-at-most", "1ms")).exit();
    for (int kill = 0; kill < 8; kill++) {
      PawlProcess worker = PawlProcess.start(directory, withCommands("work"));
      int goal = effectLines().size() + random.nextInt(3);
      long limit = System.nanoTime() + 4_000_000_000L;
      while (effectLines().size() <= goal && System.nanoTime() < limit) {
        LockSupport.parkNanos(1_000_000L + random.nextLong(30_000_000L));
      }
      worker.kill();
    }
    PawlProcess.ok(directory, withCommands("work", "--until-idle", "--due-within", "5s"));
    assertEnded();
  }

  private void assertEnded() {
    Json run = Json.parse(PawlProcess.ok(directory, "show", "last", "--json"));
    assertThat(run.member("type").text()).isEqualTo("\"trip.book.v1\"");
    assertThat(run.member("status").text()).as(run.text()).isEqualTo("\"succeeded\"");
    assertThat(run.member("result").text()).isEqualTo(RESULT);
    assertThat(PawlProcess.ok(directory, "doctor")).contains("all is well");
  }
}
