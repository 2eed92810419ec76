package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs in files: check, deploy, run, show. */
class ProgramTest {
  private static final String ORDER =
      """
      ---
      name: shop.order.v1
      ---
      const { customer } = Inputs
      log("for", customer)
      const { receipt } = await Task.run("shop.charge.v1", { customer })
      const parcel = await Signal.next("parcel")
      return `${customer}: ${receipt}, ${parcel.at}`
      """;

  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void openShell() {
    shell = new Shell(directory);
  }

  private String file(String name, String text) {
    try {
      return Files.writeString(directory.resolve(name), text).toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  // ---- check ----

  @Test
  void checkShowsEveryErrorWithItsLineAndACaret() {
    String bad = file("bad.flow", "var total = 1\nconst tottal = 2\nreturn totl\n");
    Shell.Result result = shell.run("check", bad, file("good.flow", "return 1"));
    assertThat(result.exit()).isEqualTo(65);
    assertThat(result.lines())
        .anyMatch(line -> line.endsWith("good.flow: good"))
        .anyMatch(line -> line.startsWith("bad.flow:1:1: NOT_IN_LANGUAGE") && line.contains("let"))
        .anyMatch(line -> line.startsWith("bad.flow:3:8: UNDECLARED_NAME"))
        .contains("    var total = 1", "    ^^^");
    assertThat(result.err()).contains("2 errors");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void checkTellsProgramsOneErrorPerLine() {
    String bad = file("bad.flow", "return missing");
    Shell.Result result = shell.run("check", bad, "--json");
    assertThat(result.exit()).isEqualTo(65);
    assertThat(result.text("code")).isEqualTo("UNDECLARED_NAME");
    assertThat(result.text("line")).isEqualTo("1");
    assertThat(result.text("column")).isEqualTo("8");
    assertThat(result.text("file")).isEqualTo(bad);
  }

  @Test
  void checkIsContentWithWhatIsWell() {
    assertThat(shell.ok("check", file("order.flow", ORDER))).endsWith("order.flow: shop.order.v1");
  }

  @Test
  void filesThatAreNotThereOrOfNoKindAreRefused() {
    shell.run("check", directory.resolve("gone.flow").toString()).refused(66, "gone.flow");
    shell.run("check", file("order.txt", ORDER)).refused(64, "order.txt", ".flow");
    shell.run("check").refused(64, "FILE is missing");
  }

  // ---- deploy ----

  @Test
  void deployTellsWhichRunsStayOnWhichVersion() {
    String order = file("order.flow", ORDER);
    assertThat(shell.ok("deploy", order)).startsWith("shop.order.v1 ").endsWith(" new");
    assertThat(shell.ok("deploy", order)).endsWith(" unchanged");
    shell.ok("start", "shop.order.v1", "{\"customer\":\"Ada\"}");
    shell.ok("work", "-x", "shop.charge.v1=echo '{\"receipt\":\"R-1\"}'", "--until-idle");
    shell.ok("start", "shop.order.v1", "{\"customer\":\"Bo\"}", "--delay", "1h");
    file("order.flow", ORDER + "// changed\n");
    List<String> lines = shell.run("deploy", order).lines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("shop.order.v1 ").endsWith(" new");
    assertThat(lines)
        .anyMatch(line -> line.contains("1 run stays on "))
        .anyMatch(line -> line.contains("1 run not begun yet: will take the newest"));
    Json json = shell.run("deploy", order, "--json").json();
    assertThat(json.member("state").text()).isEqualTo("\"unchanged\"");
    assertThat(json.member("runs").text()).contains("\"count\":1");
    file("order.flow", ORDER);
    assertThat(shell.run("deploy", order).lines().get(0)).endsWith(" again");
  }

  @Test
  void ifOneFileHasAnErrorNoneIsDeployed() {
    Shell.Result result =
        shell.run("deploy", file("a.flow", "return 1"), file("b.flow", "return x"));
    assertThat(result.exit()).isEqualTo(65);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("b.flow:1:8");
    assertThat(shell.file()).doesNotExist();
  }

  // ---- run ----

  private Shell.Result runAlone(String... words) {
    return shell.typing(Map.of(), false, "", words);
  }

  @Test
  void runCarriesOutAFileWithCommandsAndSignals() {
    Shell.Result result =
        runAlone(
            "run",
            file("order.flow", ORDER),
            "{\"customer\":\"Ada\"}",
            "--exec",
            "shop.charge.v1=echo busy >&2; echo '{\"receipt\":\"R-17\"}'",
            "--signal",
            "parcel={\"at\":\"dock 4\"}");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out().strip()).isEqualTo("\"Ada: R-17, dock 4\"");
    assertThat(result.err())
        .contains("for Ada", "child.started", "[shop.charge.v1] busy", "succeeded after");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void runTakesAnswersFromAFileOfMocks() {
    String mocks =
        file(
            "mocks.json",
            """
            {"a": 1, "b": {"$error": {"code": "DOWN", "message": "no answer"}}, "c": {"$echo": true},
             "d": {"$each": [1, 2]}, "e.%": {"$result": [5], "$after": 0.01}}
            """);
    String script =
        file(
            "mocked.flow",
            """
            let code = null
            try { await Task.run("b") } catch (e) { code = e.code }
            return [await Task.run("a"), code, await Task.run("c", "x"), await Task.run("d"),
              await Task.run("d"), await Task.run("d"), await Task.run("e.f")]
            """);
    Shell.Result result = runAlone("run", script, "--mocks", mocks, "--quiet");
    assertThat(result.out().strip()).as(result.err()).isEqualTo("[1,\"DOWN\",\"x\",1,2,2,[5]]");
    assertThat(result.err()).doesNotContain("child.started");
  }

  @Test
  void runTellsWhatNobodyDoes() {
    runAlone("run", file("order.flow", ORDER), "--quiet", "{\"customer\":\"Ada\"}")
        .refused(64, "nothing here does 'shop.charge.v1'", "--exec", "--mocks");
  }

  @Test
  void runDeploysTheProgramsThatAreCalled() {
    String outer = file("outer.flow", "return 1 + await Workflow.run('inner', { n: 20 })");
    String inner = file("inner.flow", "return Inputs.n * 2");
    assertThat(runAlone("run", outer, "--with", inner, "-q").out().strip()).isEqualTo("41");
  }

  @Test
  void theExitCodeTellsHowTheRunEnded() {
    Shell.Result failed = runAlone("run", file("f.flow", "throw new Error('no', {code: 'NO'})"));
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.err()).contains("NO: no");
    Shell.Result endless = runAlone("run", file("e.flow", "while (true) {}"), "--json");
    assertThat(endless.exit()).isEqualTo(1);
    assertThat(endless.json().member("error").text()).contains("LIMIT_EXCEEDED");
    Shell.Result open =
        shell.run("run", file("o.flow", "await Signal.next('s')"), "--wait-at-most", "300ms");
    assertThat(open.exit()).isEqualTo(75);
    assertThat(runAlone("run", file("bad.flow", "return x")).exit()).isEqualTo(65);
  }

  // ---- show and work ----

  @Test
  void workTellsHowDeployedProgramsEnd() {
    shell.ok("deploy", file("good.flow", "return Inputs.n"), file("bad.flow", "return Inputs.n.m"));
    shell.ok("deploy", file("order.flow", ORDER));
    shell.ok("start", "good", "{\"n\":1}");
    shell.ok("start", "bad", "{\"n\":null}");
    shell.ok("start", "shop.order.v1", "{\"customer\":\"Ada\"}");
    Shell.Result worked =
        shell.run("work", "--until-idle", "-x", "shop.charge.v1=echo '{\"receipt\":\"R-1\"}'");
    assertThat(worked.err())
        .containsPattern("succeeded +\\S+ good in ")
        .containsPattern("failed +\\S+ bad in .*: TYPE_ERROR")
        .containsPattern("succeeded +\\S+ shop.charge.v1 in ")
        .contains("2 succeeded, 1 failed, 2 suspended");
    shell.ok("signal", "last", "parcel", "{\"at\":\"dock 4\"}");
    Shell.Result resumed = shell.run("work", "--until-idle", "--json");
    Json ended = Json.parse(resumed.lines().get(0));
    assertThat(ended.member("type").text()).isEqualTo("\"shop.order.v1\"");
    assertThat(ended.member("outcome").text()).isEqualTo("\"succeeded\"");
    assertThat(shell.run("work", "--until-idle").err()).contains("nothing to do");
  }

  @Test
  void showHasTheSourceWithTheLineItStandsAtAndTheVariablesThere() {
    shell.ok("deploy", file("order.flow", ORDER));
    shell.ok("start", "shop.order.v1", "{\"customer\":\"Ada\"}");
    shell.ok("work", "-x", "shop.charge.v1=echo '{\"receipt\":\"R-1\"}'", "--until-idle");
    assertThat(shell.ok("show", "last"))
        .contains("at line 7", ">   7  const parcel = await Signal.next(\"parcel\")")
        .contains("receipt = \"R-1\"", "customer = \"Ada\"");
    Json json = shell.run("show", "last", "--json").json();
    assertThat(json.member("ast_path").text()).contains(":7");
    assertThat(json.member("line").text()).isEqualTo("7");
    assertThat(json.member("locals").text())
        .isEqualTo("{\"customer\":\"Ada\",\"receipt\":\"R-1\"}");
    assertThat(json.member("__suspended_task").text())
        .contains("\"type\":\"signal\"", "\"name\":\"parcel\"");
    shell.ok("signal", "last", "parcel", "{\"at\":\"dock\"}");
    shell.ok("work", "--until-idle");
    assertThat(shell.ok("show", "last")).contains("Ada: R-1, dock").doesNotContain(">   7");
    assertThat(shell.ok("doctor")).contains("all is well");
  }

  @Test
  void aWorkerDeploysTheScriptsOfADirectoryThatItWatches() throws IOException {
    Path flows = Files.createDirectory(directory.resolve("flows"));
    Files.writeString(flows.resolve("greet.v1.flow"), "return `hello ${Inputs}`");
    Files.writeString(flows.resolve("bad.flow"), "return nothing");
    shell.ok("start", "greet.v1", "\"you\"");
    Shell.Result result = shell.run("work", "--watch", flows.toString(), "--until-idle");
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(shell.ok("show", "last")).contains("hello you");
    shell.run("work", "--watch", "gone", "--until-idle").refused(66, "gone");
  }

  @Test
  void aWorkerCanLeaveProgramsToOthers() {
    shell.ok("deploy", file("one.flow", "return 1"));
    shell.ok("start", "one");
    shell.ok("work", "-x", "t.v1=true", "--no-programs", "--until-idle");
    try (Pawl pawl = shell.open()) {
      assertThat(pawl.counts().toString()).contains("PENDING");
    }
    shell.run("work", "--no-programs").refused(64, "--exec");
  }
}
