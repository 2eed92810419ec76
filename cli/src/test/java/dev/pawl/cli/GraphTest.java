package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Graphs at the command line: the examples, and what is said of wrong ones. */
@Timeout(120)
class GraphTest {
  @TempDir Path directory;

  private Shell shell() {
    return new Shell(directory);
  }

  private static String example(String name) {
    return Path.of(System.getProperty("user.dir"), "..", "examples", "graphs", name)
        .normalize()
        .toString();
  }

  @Test
  void aMediaPipelineWithStreams() {
    Shell.Result result =
        shell()
            .run(
                "run",
                example("media.json"),
                """
                {"frames":[{"name":"a","width":1280,"height":720},{"name":"b","width":320,"height":240},
                {"name":"c","width":640,"height":480}]}
                """,
                "--quiet");

    assertThat(result.exit()).isEqualTo(ExitCode.OK);
    assertThat(Json.parse(result.out()))
        .isEqualTo(Json.parse("{\"captions\":[\"a 640x360\",\"c 640x480\"],\"kept\":2}"));
  }

  @Test
  void onAScreenEachNodeHasALineThatIsDrawnAnew() {
    Shell.Result result =
        shell()
            .typing(
                Map.of("PAWL_STORE", shell().url(), "TERM", "xterm"),
                true,
                "",
                "run",
                example("media.json"),
                "{\"frames\":[{\"name\":\"a\",\"width\":1280,\"height\":720}]}");

    assertThat(result.exit()).isEqualTo(ExitCode.OK);
    assertThat(result.err()).contains("NODE", "STATE", "captions").contains("\u001b[");
    assertThat(result.err()).doesNotContain("node.scheduled");
  }

  @Test
  void elsewhereWhatHappensIsTold() {
    Shell.Result result =
        shell()
            .run(
                "run",
                example("media.json"),
                "{\"frames\":[{\"name\":\"a\",\"width\":1280,\"height\":720}]}");

    assertThat(result.exit()).isEqualTo(ExitCode.OK);
    assertThat(result.err()).contains("node.completed").doesNotContain("\u001b[");
  }

  @Test
  void blobsAreWhereTheEnvironmentSays() throws Exception {
    Path file = directory.resolve("large.json");
    Files.writeString(
        file,
        """
        {"name":"large","nodes":[
          {"id":"text","type":"input"},
          {"id":"out","type":"output"}],
         "edges":[{"source":"text","target":"out"}]}
        """);
    Path payload = directory.resolve("payload.json");
    Files.writeString(payload, "{\"text\":\"" + "x".repeat(1_100_000) + "\"}");
    Path blobs = directory.resolve("blobs");

    Shell.Result result =
        shell()
            .typing(
                Map.of("PAWL_STORE", shell().url(), "PAWL_BLOBS", "file:" + blobs),
                false,
                "",
                "run",
                file.toString(),
                "@" + payload,
                "--quiet");

    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    String hash = Json.parse(result.out()).member("out").member("sha256").text().replace("\"", "");
    assertThat(blobs.resolve(hash.substring(0, 2)).resolve(hash)).hasSize(1_100_002);

    Shell.Result content =
        shell()
            .typing(
                Map.of("PAWL_STORE", shell().url(), "PAWL_BLOBS", "file:" + blobs),
                false,
                "",
                "blob",
                hash);
    assertThat(content.out()).isEqualTo("\"" + "x".repeat(1_100_000) + "\"");
    shell().run("blob", hash).refused(ExitCode.NO_INPUT, hash);
  }

  @Test
  void aGraphThatCallsPython() {
    Shell.Result result =
        shell()
            .run(
                "run",
                example("python.json"),
                "{\"numbers\":[1,2,3]}",
                "--exec",
                "math.square.v1=python3 " + example("square.py"),
                "--quiet");

    assertThat(Json.parse(result.out())).isEqualTo(Json.parse("{\"squares\":[1,4,9]}"));
  }

  @Test
  void aMapAndReduceOverFiles() throws Exception {
    Path files = Files.createDirectory(directory.resolve("files"));
    Files.writeString(files.resolve("a.txt"), "to be or not to be");
    Files.writeString(files.resolve("b.txt"), "to have or to hold; to do");

    Shell.Result result =
        shell()
            .run(
                "run",
                example("words.json"),
                "{\"directory\":\"" + files + "\"}",
                "--exec",
                "words.%=python3 " + example("words.py"),
                "--quiet");

    assertThat(result.exit()).as(result.err()).isEqualTo(ExitCode.OK);
    Json words = Json.parse(result.out()).member("words");
    assertThat(words.member("to").text()).isEqualTo("5");
    assertThat(words.member("or").text()).isEqualTo("2");
  }

  @Test
  void anApprovalWaitsForItsTrigger() {
    Shell shell = shell();
    shell.run("deploy", example("approval.json"));
    String id = shell.run("start", "approval", "{\"order\":\"17\"}", "--json").text("id");
    shell.run("work", "--until-idle");
    try (Pawl pawl = Pawl.open(shell.url())) {
      RunId run = RunId.parse(id);
      assertThat(pawl.get(run).status()).isEqualTo(Status.SUSPENDED);
      assertThat(shell.run("show", id).out())
          .contains("decision", "trigger.manual", "listening", "route", "waiting");

      shell
          .run("trigger", id, "decison")
          .refused(ExitCode.NO_INPUT, "'decison'", "it has decision");
      assertThat(shell.ok("trigger", id, "decision", "{\"yes\":true}", "--id", "1"))
          .startsWith("the input is in the mailbox");
      assertThat(shell.ok("trigger", id, "decision", "{\"yes\":false}", "--id", "1"))
          .contains("an input with id 1 is there already", "nothing was added");
      shell.run("work", "--until-idle");

      assertThat(pawl.get(run).result()).contains(Json.parse("{\"letter\":[\"ship 17\"]}"));
      assertThat(shell.run("show", id).out()).contains("completed", "skipped");
      Path picture = directory.resolve("run.svg");
      assertThat(shell.run("graph", id, "--out", picture.toString()).exit()).isEqualTo(0);
      assertThat(picture).content().contains("<svg", "decision", "#dcf3e3", ">skipped</text>", id);
    }
  }

  @Test
  void everythingThatIsWrongIsNamed() throws Exception {
    Path file = directory.resolve("wrong.json");
    Files.writeString(
        file,
        """
        {"nodes": [{"id": "a", "type": "imput"}, {"id": "b", "type": "merge"},
                   {"id": "c", "type": "merge"}],
         "edges": [{"source": "b", "target": "c"}, {"source": "c", "target": "b"},
                   {"source": "b", "sourceHandle": "valeu", "target": "x"}]}
        """);

    Shell.Result result = shell().run("check", file.toString());

    assertThat(result.exit()).isEqualTo(ExitCode.DATA);
    assertThat(result.out() + result.err())
        .contains("node 'a'", "did you mean 'input'?", "b > c > b", "'x' is not a node");
  }

  @Test
  void aPictureIsMermaidWhereNoFileIsNamed() {
    assertThat(shell().run("graph", example("media.json")).out())
        .startsWith("flowchart LR")
        .contains("frames");
  }
}
