package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.flow.Flow;
import dev.pawl.log.RunId;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperateTest {
  @TempDir Path directory;
  private Shell shell;
  private final AtomicInteger charges = new AtomicInteger();
  private final Flow<String, Integer> order =
      Flow.define(
          "shop.order.v1",
          String.class,
          Integer.class,
          (ctx, id) -> {
            ctx.step("reserve", String.class, () -> "shelf");
            return ctx.step("charge", Integer.class, charges::incrementAndGet);
          });

  @BeforeEach
  void openShell() {
    shell = new Shell(directory);
  }

  private String finished() {
    try (Pawl pawl = shell.open()) {
      pawl.register(order).work();
      var run = pawl.start(order, "17");
      run.result();
      return run.id().toString();
    }
  }

  private Object resultOf(String id) {
    try (Pawl pawl = shell.open()) {
      pawl.register(order).work();
      return String.valueOf(pawl.handle(RunId.parse(id)).result());
    }
  }

  @Test
  void cancelEndsARunThatWaits() {
    String id = shell.ok("start", "a.v1");
    assertThat(shell.ok("cancel", id, "--reason", "why not")).contains(id, "is cancelled");
    assertThat(shell.ok("log", id)).contains("why not");
  }

  @Test
  void cancelRefusesARunThatHasEnded() {
    String id = shell.ok("start", "a.v1");
    shell.ok("cancel", id);
    shell.run("cancel", id).refused(65, id, "it has ended (cancelled)");
  }

  @Test
  void retryReopensACancelledRun() {
    String id = shell.ok("start", "a.v1");
    shell.ok("cancel", id);
    assertThat(shell.ok("retry", id)).isEqualTo("run " + id + " is pending again");
    assertThat(shell.run("show", id, "--json").text("status")).isEqualTo("pending");
  }

  @Test
  void retryRefusesARunThatDidNotFail() {
    String id = shell.ok("start", "a.v1");
    shell.run("retry", id).refused(65, id);
  }

  @Test
  void rewindDoesAStepAgain() {
    String id = finished();
    assertThat(shell.ok("rewind", id, "charge")).contains("is pending again, at charge");
    assertThat(resultOf(id)).isEqualTo("2");
    shell.run("rewind", id, "nonsense").refused(66, "no step 'nonsense'", "pawl show");
  }

  @Test
  void forkStartsANewRunFromAStep() {
    String id = finished();
    String fork = shell.ok("fork", id, "charge");
    assertThat(fork).isNotEqualTo(id);
    assertThat(resultOf(fork)).isEqualTo("2");
    assertThat(shell.ok("show", fork)).contains("fork of   " + id);
  }

  @Test
  void signalAndEmitTellWhatTheyDid() {
    String id = shell.ok("start", "a.v1");
    assertThat(shell.ok("signal", "last", "go", "-1")).contains("signal go", id);
    assertThat(shell.ok("emit", "approved", "@" + file("{\"by\":\"ada\"}")))
        .isEqualTo("woke 0 runs");
    assertThat(shell.run("emit", "approved", "--json").text("woken")).isEqualTo("0");
  }

  private Path file(String text) {
    try {
      return java.nio.file.Files.writeString(directory.resolve("value.json"), text);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void deleteHidesAFinishedRun() {
    String id = shell.ok("start", "a.v1");
    shell.run("delete", id).refused(65, id);
    shell.ok("cancel", id);
    assertThat(shell.ok("delete", id)).contains("is deleted");
    assertThat(shell.run("ls").out()).doesNotContain(id);
  }

  @Test
  void aPausedTypeIsNotClaimed() {
    shell.ok("start", "a.v1");
    shell.ok("pause", "a.v1");
    shell.ok("work", "-x", "a.v1=true", "--until-idle");
    assertThat(shell.run("show", "last", "--json").text("status")).isEqualTo("pending");
    shell.ok("resume", "a.v1");
    shell.ok("work", "-x", "a.v1=true", "--until-idle");
    assertThat(shell.run("show", "last", "--json").text("status")).isEqualTo("succeeded");
  }

  @Test
  void aStoreIsMadeAndItsSqlIsOnlyPrintedWhereOthersCouldUseIt() {
    assertThat(shell.ok("migrate")).contains("up to date").contains("sqlite");
    shell.run("migrate", "--dry-run").refused(69, "only a Postgres schema");
  }
}
