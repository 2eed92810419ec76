package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkTest {
  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void openShell() {
    shell = new Shell(directory);
  }

  private Shell.Result work(String command, String... more) {
    List<String> words =
        new java.util.ArrayList<>(List.of("work", "--exec", command, "--until-idle"));
    words.addAll(List.of(more));
    Shell.Result result = shell.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }

  private Json show() {
    return Json.parse(shell.ok("show", "last", "--json"));
  }

  private String status() {
    return show().member("status").text().replace("\"", "");
  }

  private String resultOf(String payload, String command) {
    shell.ok("start", "t.v1", payload);
    work("t.v1=" + command);
    assertThat(status()).isEqualTo("succeeded");
    return show().member("result").text();
  }

  @Test
  void thePayloadIsStandardInputAndStandardOutputTheResult() {
    assertThat(resultOf("{\"name\":\"Ada\"}", "cat")).isEqualTo("{\"name\":\"Ada\"}");
  }

  @Test
  void outputThatIsNotJsonIsATextWithoutItsLastLineEnd() {
    assertThat(resultOf("1", "printf 'hello\\nworld\\n'")).isEqualTo("\"hello\\nworld\"");
    assertThat(resultOf("1", "echo 007")).isEqualTo("\"007\"");
  }

  @Test
  void noOutputIsNull() {
    assertThat(resultOf("1", "true")).isEqualTo("null");
    assertThat(resultOf("1", "echo")).isEqualTo("null");
  }

  @Test
  void aCommandNeedNotReadItsInput() {
    assertThat(resultOf("\"" + "x".repeat(1_000_000) + "\"", "echo 1")).isEqualTo("1");
  }

  @Test
  void largeInputAndOutputPassAtTheSameTime() {
    String big = "\"" + "y".repeat(3_000_000) + "\"";
    assertThat(resultOf(big, "cat")).isEqualTo(big);
  }

  @Test
  void theEnvironmentTellsAboutTheRun() {
    shell.ok("start", "t.v1", "--key", "k 1");
    work("t.%=echo \"$PAWL_RUN|$PAWL_TYPE|$PAWL_ATTEMPT|$PAWL_KEY|$PAWL_STORE\"");
    String id = show().member("id").text().replace("\"", "");
    assertThat(show().member("result").text())
        .isEqualTo("\"" + id + "|t.v1|1|k 1|" + shell.url() + "\"");
  }

  @Test
  void withoutAKeyPawlKeyIsStillTheSameForEveryAttempt() {
    shell.ok("start", "t.v1");
    work(
        "t.v1=echo \"$PAWL_KEY\" >> " + directory + "/keys; test \"$PAWL_ATTEMPT\" = 2",
        "--backoff",
        "1ms",
        "--due-within",
        "1s");
    List<String> keys = lines("keys");
    assertThat(keys).hasSize(2);
    assertThat(keys.get(0)).startsWith("t.v1/").isEqualTo(keys.get(1));
  }

  private List<String> lines(String file) {
    try {
      Path path = directory.resolve(file);
      return Files.exists(path) ? Files.readAllLines(path) : List.of();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void exit65FailsForGoodWithStandardErrorOnRecord() {
    shell.ok("start", "t.v1");
    Shell.Result result = work("t.v1=echo one >&2; echo 'no such customer' >&2; exit 65");
    assertThat(result.err()).contains("] no such customer", "failed ", "1 failed");
    assertThat(status()).isEqualTo("failed");
    assertThat(show().member("attempt").text()).isEqualTo("1");
    Json error = show().member("error");
    assertThat(error.member("code").text()).isEqualTo("\"COMMAND_FAILED\"");
    assertThat(error.member("message").text()).contains("65", "no such customer");
    assertThat(error.member("data").text())
        .isEqualTo("{\"exit\":65,\"stderr\":\"one\\nno such customer\"}");
  }

  @Test
  void otherExitCodesAreTriedAgainAsOftenAsTheRunAllows() {
    shell.ok("start", "t.v1", "--max-attempts", "4");
    Shell.Result result = work("t.v1=exit 75", "--backoff", "1ms", "--due-within", "1s");
    assertThat(result.err()).contains("3 retried, 1 failed", "next attempt").contains("attempt 4");
    assertThat(status()).isEqualTo("failed");
    assertThat(show().member("attempt").text()).isEqualTo("4");
  }

  @Test
  void aWorkerMayGiveUpEarlier() {
    shell.ok("start", "t.v1", "--max-attempts", "9");
    work("t.v1=exit 1", "--backoff", "1ms", "--due-within", "1s", "--retry", "2");
    assertThat(status()).isEqualTo("failed");
    assertThat(show().member("attempt").text()).isEqualTo("2");
  }

  @Test
  void aLaterAttemptMaySucceed() {
    shell.ok("start", "t.v1");
    work("t.v1=test $PAWL_ATTEMPT = 3", "--backoff", "1ms", "--due-within", "1s");
    assertThat(status()).isEqualTo("succeeded");
  }

  @Test
  void aRetryThatIsDueLaterIsNotWaitedFor() {
    shell.ok("start", "t.v1");
    work("t.v1=exit 1", "--backoff", "1h", "--no-jitter");
    assertThat(status()).isEqualTo("pending");
    assertThat(shell.ok("show", "last")).contains("due", "COMMAND_FAILED");
  }

  @Test
  void aCommandThatIsNotThereSaysSo() {
    shell.ok("start", "t.v1", "--max-attempts", "1");
    work("t.v1=no-such-command-at-all");
    assertThat(show().member("error").member("message").text())
        .contains("127 (command not found)", "no-such-command-at-all");
  }

  @Test
  void onlyTheEndOfALongStandardErrorIsKept() {
    shell.ok("start", "t.v1", "--max-attempts", "1");
    work("t.v1=seq 1 20000 >&2; echo the end >&2; exit 1", "--quiet");
    String kept = show().member("error").member("data").member("stderr").text();
    assertThat(kept.length()).isBetween(16_000, 25_000);
    assertThat(kept).endsWith("\\nthe end\"");
  }

  @Test
  void aCommandThatBabblesIsStopped() {
    shell.ok("start", "t.v1");
    work("t.v1=yes", "--max-output", "100000");
    assertThat(status()).isEqualTo("failed");
    assertThat(show().member("error").member("code").text()).isEqualTo("\"TOO_LARGE\"");
    assertThat(show().member("error").member("message").text()).contains("100000 bytes");
  }

  @Test
  void anAttemptMayBeLimitedInTime() {
    shell.ok("start", "t.v1", "--max-attempts", "1");
    work("t.v1=sleep 60", "--timeout", "200ms");
    assertThat(status()).isEqualTo("failed");
    assertThat(show().member("error").member("code").text()).isEqualTo("\"TIMEOUT\"");
  }

  @Test
  void somethingLeftInTheBackgroundDoesNotHoldUpTheTask() {
    assertThat(resultOf("1", "sleep 60 & echo $!")).matches("\\d+");
    long pid = Long.parseLong(show().member("result").text());
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  @Test
  void theLongestPrefixThatFitsIsTaken() {
    shell.ok("start", "a.b.c.v1");
    shell.ok("work", "-x", "a.%=echo short", "-x", "a.b.%=echo long", "--until-idle");
    assertThat(show().member("result").text()).isEqualTo("\"long\"");
  }

  @Test
  void typesWithoutACommandStayWhereTheyAre() {
    shell.ok("start", "other.v1");
    assertThat(work("t.v1=true").err()).contains("nothing to do");
    assertThat(status()).isEqualTo("pending");
    assertThat(show().member("attempt").text()).isEqualTo("0");
  }

  @Test
  void jsonHasOneObjectPerAttemptAndASummary() {
    shell.ok("start", "t.v1");
    List<String> lines = work("t.v1=true", "--json").lines();
    assertThat(lines).hasSize(2);
    Json attempt = Json.parse(lines.get(0));
    assertThat(attempt.member("outcome").text()).isEqualTo("\"succeeded\"");
    assertThat(attempt.member("attempt").text()).isEqualTo("1");
    assertThat(Json.parse(lines.get(1)).member("summary").member("succeeded").text())
        .isEqualTo("1");
  }

  @Test
  void jsonTellsWhyAnAttemptFailedAndWhenTheNextIs() {
    shell.ok("start", "t.v1");
    List<String> lines = work("t.v1=exit 3", "--backoff", "1h", "--no-jitter", "--json").lines();
    Json attempt = Json.parse(lines.get(0));
    assertThat(attempt.member("outcome").text()).isEqualTo("\"retried\"");
    assertThat(attempt.member("exit").text()).isEqualTo("3");
    assertThat(attempt.member("code").text()).isEqualTo("\"COMMAND_FAILED\"");
    assertThat(attempt.member("message").text()).contains("exit code 3");
    assertThat(attempt.member("nextAt").text()).matches("\"20.*Z\"");
    assertThat(Json.parse(lines.get(1)).member("summary").member("retried").text()).isEqualTo("1");
  }

  @Test
  void workGoesOnUntilNothingIsLeft() {
    shell.typing("1\n".repeat(60), "start", "t.v1", "--lines", "-");
    assertThat(work("t.v1=true", "-c", "4").err()).contains("60 succeeded");
  }

  @Test
  void cancelSendsTerm() throws Exception {
    String id = shell.ok("start", "t.v1");
    String command =
        "trap 'echo term >> %1$s/signs; exit 3' TERM; echo up >> %1$s/signs; sleep 60 & wait"
            .formatted(directory);
    CompletableFuture<Shell.Result> work =
        CompletableFuture.supplyAsync(() -> work("t.v1=" + command, "--lease", "3s"));
    Shell.until("the command is up", () -> lines("signs").contains("up"));
    assertThat(shell.ok("cancel", id, "--reason", "enough")).contains("has been told");
    assertThat(work.get().err()).contains("cancelled ");
    assertThat(lines("signs")).containsExactly("up", "term");
    assertThat(status()).isEqualTo("cancelled");
    assertThat(shell.ok("log", id)).contains("enough");
  }

  @Test
  void whoIgnoresTermIsKilled() throws Exception {
    String id = shell.ok("start", "t.v1");
    String command =
        "trap '' TERM; echo $$ > %s/pid; while :; do sleep 1; done".formatted(directory);
    CompletableFuture<Shell.Result> work =
        CompletableFuture.supplyAsync(
            () -> work("t.v1=" + command, "--lease", "3s", "--kill-after", "300ms"));
    Shell.until("the command is up", () -> !lines("pid").isEmpty());
    shell.ok("cancel", id);
    work.get();
    assertThat(status()).isEqualTo("cancelled");
    long pid = Long.parseLong(lines("pid").getFirst());
    Shell.until("the process is gone", () -> ProcessHandle.of(pid).isEmpty());
  }
}
