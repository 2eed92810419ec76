package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input gets one clear sentence, the right exit code and no stack trace. */
class BadInputTest {
  private static final String NOBODY = "0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55";

  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void openShell() {
    shell = new Shell(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "log", "cancel", "retry", "delete"})
  void aRunThatDoesNotExist(String command) {
    shell.ok("start", "a.v1");
    shell.run(command, NOBODY).refused(66, NOBODY);
    shell.run(command, "key:nope").refused(66, "key 'nope'");
    shell.run(command, "abcdef0").refused(66, "abcdef0");
    shell.run(command, "nonsense!").refused(64, "nonsense!", "last");
  }

  @Test
  void anEndThatManyIdsHave() {
    assertThat(shell.typing("1\n".repeat(3), "start", "a.v1", "--lines", "-").exit()).isZero();
    shell.run("show", "abc").refused(64, "6 or more characters");
  }

  @Test
  void lastOfNothing() {
    shell.ok("pause", "a.v1");
    shell.run("show", "last").refused(66, "no runs");
  }

  @Test
  void aTypeThatIsNoType() {
    shell.run("start", "two words").refused(64, "two words");
    shell.run("start", "a.%").refused(64, "a.%");
    shell.run("start", "").refused(64, "type");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void badJson() {
    shell.run("start", "a.v1", "{bad").refused(65, "the payload is not JSON", "line 1");
    shell.run("start", "a.v1", "hello").refused(65, "not JSON", "double quotes");
    shell.run("start", "a.v1", "1 2").refused(65, "more text follows");
    shell.run("start", "a.v1", "").refused(65, "the text is empty");
    shell.run("start", "a.v1", "{\"a\":1,\"a\":2}").refused(65, "not JSON");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void aFileThatIsNotThere() {
    shell.run("start", "a.v1", "@/no/such/file").refused(66, "/no/such/file");
    shell.run("start", "a.v1", "@" + directory).refused(66, "is a directory");
    shell.run("start", "a.v1", "--lines", "/no/such/file").refused(66, "/no/such/file");
  }

  @Test
  void aFileThatIsNotText() throws Exception {
    Path file = Files.write(directory.resolve("bytes"), new byte[] {(byte) 0xff, 0x00});
    shell.run("start", "a.v1", "@" + file).refused(65, "not UTF-8");
  }

  @Test
  void aPayloadOverTheLimit() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return ' ';
          }
        };
    java.io.ByteArrayOutputStream err = new java.io.ByteArrayOutputStream();
    var terminal =
        new dev.pawl.cli.terminal.Terminal(
            endless,
            new java.io.PrintStream(java.io.OutputStream.nullOutputStream()),
            new java.io.PrintStream(err),
            Map.of("PAWL_STORE", shell.url()),
            false,
            false);
    assertThat(Main.run(terminal, "start", "a.v1", "-")).isEqualTo(65);
    assertThat(err.toString(java.nio.charset.StandardCharsets.UTF_8))
        .startsWith("pawl: ")
        .contains("limit", "reference");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void aStatusThatIsNone() {
    shell.ok("start", "a.v1");
    shell.run("ls", "--status", "done").refused(64, "'done' is not a status", "succeeded");
  }

  @Test
  void aPatternThatIsNone() {
    shell.ok("start", "a.v1");
    shell.run("ls", "--type", "a%b").refused(64, "a%b");
    shell.run("work", "-x", "a%b=true").refused(64, "a%b");
    shell.run("work", "-x", "a%b%=true").refused(64, "a%b%");
    shell.run("work", "-x", "a.*=true").refused(64, "a.*", "mail.%");
    shell.run("work", "-x", "nocommand").refused(64, "TYPE=COMMAND");
    shell.run("work", "-x", "a.v1= ").refused(64, "TYPE=COMMAND");
    shell.run("work", "-x", "a.v1=true", "-x", "a.v1=false").refused(64, "twice");
    shell.run("work", "--no-programs").refused(64, "--exec");
  }

  @Test
  void optionsThatAreNone() {
    shell.run("ls", "--stat", "failed").refused(64, "--stat", "did you mean --status?");
    shell.run("ls", "--limit", "many").refused(64, "--limit", "'many'");
    shell.run("ls", "--limit", "0").refused(64, "--limit", "from 1 to 1000");
    shell.run("ls", "--limit").refused(64, "--limit needs a value");
    shell.run("start", "a.v1", "--delay", "soon").refused(64, "--delay", "'soon'", "1h30m");
    shell.run("start", "a.v1", "--at", "later").refused(64, "'later'", "09:00");
    shell.run("start", "a.v1", "--key", "a", "--key", "b").refused(64, "twice");
    shell.run("start", "a.v1", "--tag", "x").refused(64, "NAME=VALUE");
    shell.run("start", "a.v1", "--if-exists", "explode").refused(64, "attach, reject or retry");
    shell.run("start", "a.v1", "1", "2").refused(64, "'2' is one word too many");
    shell.run("start").refused(64, "TYPE is missing");
    shell.run("show").refused(64, "RUN is missing");
    shell.run("frobnicate").refused(64, "no command 'frobnicate'");
    shell.run("sho", "last").refused(64, "did you mean 'show'?");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void aStoreThatIsNotThere() {
    shell.run("ls").refused(66, "there is no store at", "test.db");
    shell.run("show", NOBODY).refused(66, "there is no store");
    assertThat(shell.file()).doesNotExist();
  }

  @Test
  void aStoreOfAnUnknownKind() {
    shell.run("ls", "--store", "oracle:x").refused(64, "oracle:x", "sqlite:");
    shell.run("start", "a.v1", "--store", "sqlite:").refused(64, "sqlite:");
  }

  @Test
  void aFileThatIsNotADatabase() throws Exception {
    String text = "Dear diary, ".repeat(100);
    Files.writeString(shell.file(), text);
    shell.run("ls").refused(65, "test.db");
    shell.run("start", "a.v1", "1").refused(65, "test.db");
    assertThat(Files.readString(shell.file())).isEqualTo(text);
  }

  @Test
  void aDirectoryThatIsNotThere() {
    Shell.Result result = shell.run("start", "a.v1", "--store", "sqlite:/no/such/dir/x.db");
    result.refused(69, "/no/such/dir");
  }

  @Test
  void aPlaceWhereNothingCanBeWritten() {
    Shell.Result result = shell.run("start", "a.v1", "--store", "sqlite:/proc/pawl.db");
    assertThat(result.exit()).isIn(69, 77);
    result.refused(result.exit(), "/proc/pawl.db");
  }

  @Test
  void withJsonTheErrorIsAnObject() {
    Shell.Result result = shell.run("ls", "--json");
    assertThat(result.exit()).isEqualTo(66);
    Json error = Json.parse(result.err()).member("error");
    assertThat(error.member("code").text()).isEqualTo("\"NOT_FOUND\"");
    assertThat(error.member("exit").text()).isEqualTo("66");
    assertThat(error.member("message").text()).contains("there is no store");
  }

  @Test
  void debugShowsTheStack() {
    assertThat(shell.run("ls", "--debug").err()).contains("\tat ");
    Map<String, String> env = Map.of("PAWL_STORE", shell.url(), "PAWL_DEBUG", "1");
    assertThat(shell.typing(env, false, "", "ls").err()).contains("\tat ");
  }
}
