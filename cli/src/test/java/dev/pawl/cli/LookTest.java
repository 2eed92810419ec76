package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.cli.terminal.Terminal;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Status;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookTest {
  static final Task<String, String> MAIL =
      Task.of("mail.send.v1", String.class, String.class, to -> "sent to " + to);
  static final Flow<String, String> ORDER =
      Flow.define(
          "shop.order.v1",
          String.class,
          String.class,
          (ctx, id) -> {
            ctx.step("reserve", String.class, () -> "shelf 9");
            ctx.call(MAIL, id);
            String by = ctx.awaitSignal("approved", String.class, Duration.ofDays(2));
            ctx.step(
                "charge",
                Retry.none(),
                step -> {
                  if ("nobody".equals(by)) {
                    throw new IllegalStateException("card refused", new RuntimeException("limit"));
                  }
                });
            return "approved by " + by;
          });

  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void openShell() {
    shell = new Shell(directory);
  }

  /** Starts an order and works until it waits for its approval. */
  private String suspendedOrder() {
    try (Pawl pawl = shell.open()) {
      pawl.register(ORDER).register(MAIL).work();
      var run = pawl.start(ORDER, "17", o -> o.key("order-17").tag("team", "x"));
      Shell.until(
          "the order waits for its signal",
          () -> run.run().status() == Status.SUSPENDED && waitsForSignal(run.id().toString()));
      return run.id().toString();
    }
  }

  private boolean waitsForSignal(String id) {
    return shell.ok("show", id).contains("for signal approved");
  }

  private String finishedOrder(String by) {
    String id = suspendedOrder();
    shell.ok("signal", id, "approved", "\"" + by + "\"");
    try (Pawl pawl = shell.open()) {
      pawl.register(ORDER).register(MAIL).work();
      Shell.until(
          "the order has ended",
          () -> pawl.findByKey("order-17").orElseThrow().status().isTerminal());
    }
    return id;
  }

  @Nested
  class Ls {
    @Test
    void listsTheNewestFirst() {
      String first = shell.ok("start", "a.v1");
      String second = shell.ok("start", "b.v1", "--key", "order-2");
      List<String> lines = shell.run("ls").lines();
      assertThat(lines).hasSize(3);
      assertThat(lines.get(0)).matches("RUN +STATUS +TYPE +KEY +CREATED.*");
      assertThat(lines.get(1)).startsWith(second).contains("pending", "b.v1", "order-2");
      assertThat(lines.get(2)).startsWith(first).contains("waiting for a worker");
    }

    @Test
    void filtersByStatusAndType() {
      String pending = shell.ok("start", "a.x.v1");
      String cancelled = shell.ok("start", "a.y.v1");
      shell.ok("start", "b.v1");
      shell.ok("cancel", cancelled);
      assertThat(shell.run("ls", "--type", "a.%").lines()).hasSize(3);
      assertThat(shell.run("ls", "-t", "a.%", "-s", "pending,running").out())
          .contains(pending)
          .doesNotContain(cancelled);
    }

    @Test
    void goesOnBehindARun() {
      String first = shell.ok("start", "a.v1");
      String second = shell.ok("start", "a.v1");
      Shell.Result page = shell.run("ls", "--limit", "1");
      assertThat(page.out()).contains(second).doesNotContain(first);
      assertThat(page.err()).contains("pawl ls --after " + second);
      assertThat(shell.run("ls", "--after", second).out()).contains(first);
    }

    @Test
    void jsonHasOneObjectPerLineWithStableNames() {
      shell.ok("start", "a.v1", "{\"deep\":[1]}", "--key", "k", "--tag", "x=y");
      Shell.Result result = shell.run("ls", "--json");
      assertThat(result.text("type")).isEqualTo("a.v1");
      assertThat(result.text("status")).isEqualTo("pending");
      assertThat(result.text("key")).isEqualTo("k");
      assertThat(result.text("attempt")).isEqualTo("0");
      assertThat(result.text("maxAttempts")).isEqualTo("3");
      assertThat(result.json().member("tags").text()).isEqualTo("{\"x\":\"y\"}");
      assertThat(result.json().member("payload")).isEqualTo(Json.NULL);
      assertThat(Instant.parse(result.text("createdAt"))).isBefore(Instant.now().plusSeconds(5));
      assertThat(shell.run("ls", "--json", "--full").text("payload")).isEqualTo("{\"deep\":[1]}");
    }

    @Test
    void anEmptyStoreSaysSo() {
      shell.ok("pause", "a.v1");
      assertThat(shell.run("ls").err()).isEqualTo("no runs\n");
      assertThat(shell.run("ls", "--json").err()).isEmpty();
    }

    @Test
    void coloursOnlyAScreen() {
      shell.ok("start", "a.v1");
      Map<String, String> env = Map.of("PAWL_STORE", shell.url());
      assertThat(shell.typing(env, true, "", "ls").out()).contains("\u001b[");
      assertThat(shell.typing(env, true, "", "ls", "--no-color").out()).doesNotContain("\u001b[");
      assertThat(shell.run("ls").out()).doesNotContain("\u001b[");
      Map<String, String> plain = Map.of("PAWL_STORE", shell.url(), "NO_COLOR", "1");
      assertThat(shell.typing(plain, true, "", "ls").out()).doesNotContain("\u001b[");
    }
  }

  @Nested
  class Show {
    @Test
    void tellsWhatASuspendedRunWaitsFor() {
      String text = shell.ok("show", suspendedOrder());
      assertThat(text)
          .contains("suspended since", "for signal approved", "in 47h", "order-17", "team=x")
          .containsPattern("reserve +completed +1")
          .containsPattern("succeeded +mail.send.v1")
          .containsPattern("1 +.*suspended");
    }

    @Test
    void tellsWhyARunFailed() {
      String text = shell.ok("show", finishedOrder("nobody"));
      assertThat(text)
          .contains("failed", "card refused")
          .containsPattern("cause +.*limit")
          .containsPattern("charge +failed")
          .doesNotContain("\tat ");
      assertThat(shell.ok("show", "key:order-17", "--full")).contains("IllegalStateException");
    }

    @Test
    void tellsThatNobodyHandlesAPendingRun() {
      shell.ok("start", "a.v1");
      assertThat(shell.ok("show", "last")).contains("for a worker that handles a.v1, since");
    }

    @Test
    void tellsThatTheTypeIsPaused() {
      shell.ok("start", "a.v1");
      shell.ok("pause", "a.v1");
      assertThat(shell.ok("show", "last")).contains("paused", "pawl resume a.v1");
      shell.ok("resume", "a.v1");
      assertThat(shell.ok("show", "last")).doesNotContain("paused");
    }

    @Test
    void tellsOfUnreadMessages() {
      shell.ok("start", "a.v1");
      shell.ok("signal", "last", "hurry", "{\"x\":1}");
      assertThat(shell.ok("show", "last")).containsPattern("signal +hurry +.*\\{\"x\":1}");
    }

    @Test
    void shortensWhatIsLong() {
      shell.ok("start", "a.v1", "\"" + "x".repeat(5000) + "\"");
      assertThat(shell.ok("show", "last")).contains("… (5002 characters)").hasSizeLessThan(2000);
      assertThat(shell.ok("show", "last", "--full")).contains("x".repeat(5000));
    }

    @Test
    void jsonHasAllOfIt() {
      Json json = Json.parse(shell.ok("show", suspendedOrder(), "--json"));
      assertThat(json.member("status").text()).isEqualTo("\"suspended\"");
      assertThat(json.member("waits").text()).contains("\"for\":\"signal\",\"name\":\"approved\"");
      assertThat(json.member("steps").text()).contains("\"name\":\"reserve\"", "\"millis\":");
      assertThat(json.member("children").text()).contains("\"status\":\"succeeded\"");
      assertThat(json.member("turns").text()).contains("\"end\":\"suspended\"");
      assertThat(json.member("since").text()).endsWith("Z\"");
    }

    @Test
    void findsARunByTheEndOfItsId() {
      String id = shell.ok("start", "a.v1");
      shell.ok("start", "a.v1");
      assertThat(shell.ok("show", id.substring(id.length() - 8))).contains(id);
      assertThat(shell.ok("show", id.substring(id.length() - 8).toUpperCase(java.util.Locale.ROOT)))
          .contains(id);
    }
  }

  @Nested
  class Log {
    @Test
    void hasOneLinePerEvent() {
      String id = finishedOrder("ada");
      List<String> lines = shell.run("log", id).lines();
      assertThat(lines.get(0)).startsWith("   1  ").contains("created", "shop.order.v1", "\"17\"");
      assertThat(lines)
          .anyMatch(line -> line.contains("step.completed") && line.contains("reserve"));
      assertThat(lines).anyMatch(line -> line.contains("signal.received"));
      assertThat(lines.getLast()).contains("succeeded", "approved by ada");
    }

    @Test
    void jsonHasIsoMoments() {
      shell.ok("start", "a.v1");
      Json entry = shell.run("log", "last", "--json").json();
      assertThat(entry.member("seq").text()).isEqualTo("1");
      assertThat(entry.member("kind").text()).isEqualTo("\"created\"");
      assertThat(entry.member("data").member("runAt").text()).endsWith("Z\"");
    }

    /** As {@code head} does, which has seen enough after a few lines. */
    @Test
    void isReadNoFurtherThanSomebodyLooks() {
      Flow<Integer, Integer> chatty =
          Flow.define(
              "chatty.v1",
              Integer.class,
              Integer.class,
              (ctx, lines) -> {
                for (int i = 0; i < lines; i++) {
                  ctx.log("line " + i);
                }
                return lines;
              });
      try (Pawl pawl = shell.open()) {
        pawl.register(chatty).work();
        pawl.start(chatty, 5000).result();
      }
      AtomicInteger offered = new AtomicInteger();
      OutputStream closed =
          new OutputStream() {
            @Override
            public void write(int one) throws IOException {
              offered.incrementAndGet();
              throw new IOException("nobody reads this");
            }
          };
      PrintStream out = new PrintStream(closed, false, StandardCharsets.UTF_8);
      Map<String, String> env = Map.of("PAWL_STORE", shell.url());
      int exit =
          Main.run(
              new Terminal(InputStream.nullInputStream(), out, out, env, false, false),
              "log",
              "last");
      assertThat(exit).isZero();
      assertThat(offered).hasValueBetween(1, 4000);
    }

    @Test
    void followsUntilTheRunEnds() throws Exception {
      String id = shell.ok("start", "mail.send.v1", "\"ada\"");
      Thread worker =
          Thread.ofVirtual()
              .unstarted(() -> {
                try (Pawl pawl = shell.open()) {
                  pawl.register(MAIL).work();
                  pawl.handle(dev.pawl.log.RunId.parse(id)).result();
                }
              });
      worker.start();
      List<String> lines = shell.run("log", id, "--follow").lines();
      worker.join();
      assertThat(lines.getLast()).contains("succeeded", "sent to ada");
      assertThat(lines).hasSize(3);
    }
  }

  @Test
  void statsCountByTypeAndStatus() {
    shell.ok("start", "a.v1");
    shell.ok("start", "a.v1");
    shell.ok("start", "b.v1");
    shell.ok("cancel", "last");
    shell.ok("pause", "a.v1");
    assertThat(shell.ok("stats"))
        .containsPattern("a.v1 +2 +0 +0 +0 +0 +0 +paused")
        .containsPattern("b.v1 +0 +0 +0 +0 +0 +1")
        .containsPattern("total +2 +0 +0 +0 +0 +1");
    assertThat(shell.run("stats", "--json").json().member("types").text())
        .contains("{\"type\":\"a.v1\",\"paused\":true,\"pending\":2,");
  }

  @Test
  void theDoctorFindsNothingInAHealthyStore() {
    finishedOrder("ada");
    assertThat(shell.ok("doctor")).contains("all is well", "2 runs");
    assertThat(shell.run("doctor", "--json").text("violations")).isEqualTo("0");
    assertThat(shell.ok("doctor", "key:order-17")).contains("1 runs");
  }
}
