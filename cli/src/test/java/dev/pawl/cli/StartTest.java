package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartTest {
  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void openShell() {
    shell = new Shell(directory);
  }

  private Run run(String id) {
    try (Pawl pawl = shell.open()) {
      return pawl.get(RunId.parse(id));
    }
  }

  @Test
  void printsTheIdAndNothingElse() {
    Shell.Result result = shell.run("start", "mail.send.v1", "{\"to\":\"ada\"}");
    assertThat(result.err()).isEmpty();
    assertThat(run(result.out().strip()).payload()).isEqualTo(Json.parse("{\"to\":\"ada\"}"));
  }

  @Test
  void takesThePayloadFromAFile() throws Exception {
    Path file = Files.writeString(directory.resolve("payload.json"), " [1, 2]\n");
    assertThat(run(shell.ok("start", "t.v1", "@" + file)).payload().text()).isEqualTo("[1,2]");
  }

  @Test
  void takesThePayloadFromStandardInput() {
    Shell.Result result = shell.typing("\"hi\"\n", "start", "t.v1", "-");
    assertThat(run(result.out().strip()).payload().text()).isEqualTo("\"hi\"");
  }

  @Test
  void takesNegativeNumbersForPayloads() {
    assertThat(run(shell.ok("start", "t.v1", "-17")).payload().text()).isEqualTo("-17");
  }

  @Test
  void withoutPayloadItIsNull() {
    assertThat(run(shell.ok("start", "t.v1")).payload()).isEqualTo(Json.NULL);
  }

  @Test
  void takesOptions() {
    String id =
        shell.ok(
            "start",
            "t.v1",
            "--key",
            "k1",
            "--priority=7",
            "--delay",
            "1h30m",
            "--max-attempts",
            "9",
            "--timeout",
            "1d",
            "--ttl",
            "7d",
            "--tag",
            "team=x",
            "--tag",
            "a=b=c");
    Run run = run(id);
    assertThat(run.key()).contains("k1");
    assertThat(run.priority()).isEqualTo(7);
    assertThat(run.maxAttempts()).isEqualTo(9);
    assertThat(run.tags()).containsEntry("team", "x").containsEntry("a", "b=c");
    assertThat(Duration.between(run.createdAt(), run.due().orElseThrow()))
        .isEqualTo(Duration.ofMinutes(90));
    assertThat(Duration.between(run.createdAt(), run.deadline().orElseThrow()))
        .isEqualTo(Duration.ofDays(1));
    assertThat(run.ttl()).contains(Duration.ofDays(7));
  }

  @Test
  void aTimeToLiveIsShownBeforeAndAfterTheEnd() {
    String id = shell.ok("start", "t.v1", "--ttl", "36h");
    assertThat(shell.ok("show", id)).containsPattern("ttl +1d 12h from its end");
    assertThat(shell.ok("show", id, "--json"))
        .contains("\"ttl\":\"PT36H\"")
        .doesNotContain("expiresAt");

    shell.ok("cancel", id);
    assertThat(shell.ok("show", id)).containsPattern("ttl +1d 12h, over 20\\d\\d-.*in 3[56]h");
    assertThat(shell.ok("show", id, "--json")).contains("\"expiresAt\":\"20");
    assertThat(shell.ok("show", shell.ok("start", "t.v1"))).doesNotContain("ttl");
  }

  @Test
  void aTimeToLiveOfNothingIsRefused() {
    for (String none : new String[] {"0", "0ms", "PT0S"}) {
      shell
          .run("start", "t.v1", "--ttl", none)
          .refused(64, "--ttl: a run's time to live is at least a millisecond");
    }
    for (String none : new String[] {"-5", "-1d", "PT-5S", "soon", "", "99999999d"}) {
      shell.run("start", "t.v1", "--ttl=" + none).refused(64, "--ttl: '" + none + "' is not a");
    }
  }

  @Test
  void takesAMomentToStartAt() {
    String id = shell.ok("start", "t.v1", "--at", "2099-01-01T00:00:00Z");
    assertThat(run(id).due()).contains(Instant.parse("2099-01-01T00:00:00Z"));
  }

  @Test
  void aSecondStartWithTheKeyAttaches() {
    String first = shell.ok("start", "t.v1", "1", "--key", "k");
    Shell.Result second = shell.run("start", "t.v1", "2", "--key", "k");
    assertThat(second.exit()).isZero();
    assertThat(second.out().strip()).isEqualTo(first);
    assertThat(second.err()).contains("there already");
  }

  @Test
  void aSecondStartWithTheKeyIsRejectedIfAskedTo() {
    String first = shell.ok("start", "t.v1", "--key", "k");
    shell
        .run("start", "t.v1", "--key", "k", "--if-exists", "reject")
        .refused(73, "'k'", first, "pending");
  }

  @Test
  void aFailedRunIsRetriedByAStartIfAskedTo() {
    String id = shell.ok("start", "t.v1", "--key", "k");
    shell.ok("work", "-x", "t.v1=exit 65", "--until-idle");
    assertThat(shell.run("ls", "--status", "failed").out()).contains(id);
    shell.ok("start", "t.v1", "--key", "k", "--if-exists", "retry");
    assertThat(shell.run("ls", "--status", "pending").out()).contains(id);
  }

  @Test
  void jsonTellsWhetherTheRunIsNew() {
    assertThat(shell.run("start", "t.v1", "--key", "k", "--json").text("created"))
        .isEqualTo("true");
    Shell.Result again = shell.run("start", "t.v1", "--key", "k", "--json");
    assertThat(again.text("created")).isEqualTo("false");
    assertThat(again.text("status")).isEqualTo("pending");
    assertThat(again.err()).isEmpty();
  }

  @Test
  void waitsForTheResult() {
    try (Pawl pawl = shell.open()) {
      pawl.register(Task.json("t.v1", (context, value) -> value)).work();
      Shell.Result result = shell.run("start", "t.v1", "{\"a\":1}", "--wait");
      assertThat(result.exit()).isZero();
      assertThat(result.out()).isEqualTo("{\"a\":1}\n");
      assertThat(result.err()).contains("succeeded");
    }
  }

  @Test
  void aWaitForAFailedRunExitsWith1() {
    try (Pawl pawl = shell.open()) {
      pawl.register(
              Task.json(
                  "t.v1",
                  (context, value) -> {
                    throw FailedException.permanent("DECLINED", "no money");
                  }))
          .work();
      Shell.Result result = shell.run("start", "t.v1", "--wait");
      assertThat(result.exit()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("failed", "DECLINED: no money");
      Shell.Result json = shell.run("start", "t.v1", "--wait", "--json");
      assertThat(json.exit()).isEqualTo(1);
      assertThat(json.json().member("error").member("code").text()).isEqualTo("\"DECLINED\"");
    }
  }

  @Test
  void aWaitForACancelledRunExitsWith2() {
    shell.ok("start", "t.v1", "--key", "k");
    shell.ok("cancel", "key:k", "--reason", "enough");
    assertThat(shell.run("start", "t.v1", "--key", "k", "--wait").exit()).isEqualTo(2);
  }

  @Test
  void aWaitCanBeLimited() {
    shell.run("start", "t.v1", "--wait-at-most", "50ms").refused(75, "has not ended", "goes on");
  }

  @Test
  void startsOneRunForEachLine() {
    Shell.Result result =
        shell.typing(
            "{\"id\":\"a\"}\n\n{\"id\":\"b\"}\n",
            "start",
            "t.v1",
            "--lines",
            "-",
            "--key-field",
            "id");
    assertThat(result.lines()).hasSize(2);
    assertThat(result.err()).contains("2 started, 0 were there already");
    assertThat(shell.ok("show", "key:b")).contains(result.lines().get(1));
    Shell.Result again =
        shell.typing("{\"id\":\"b\"}", "start", "t.v1", "--lines", "-", "--key-field", "id");
    assertThat(again.err()).contains("0 started, 1 were there already");
  }

  @Test
  void aBadLineStartsNothing() {
    shell.typing("1\n2\nthree\n", "start", "t.v1", "--lines", "-").refused(65, "line 3", "JSON");
    assertThat(shell.file()).doesNotExist();
  }
}
