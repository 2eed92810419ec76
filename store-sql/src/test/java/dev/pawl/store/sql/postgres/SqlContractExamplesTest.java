package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example workers that speak only SQL, as they are. */
@Timeout(180)
class SqlContractExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final String PYTHON = "/usr/bin/python3";

  @TempDir Path directory;
  private Inbox inbox;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
  }

  @AfterEach
  void closeAndCheck() {
    try {
      inbox.isSound();
    } finally {
      inbox.close();
    }
  }

  @Test
  void theWorkerInPythonCarriesOutRuns() throws Exception {
    needsPythonAndItsDriver();
    RunId shout = inbox.insert("(type, payload) values ('text.shout.v1', '{\"text\": \"ho\"}')");
    RunId fail = inbox.insert("(type, payload) values ('text.fail.v1', '{\"why\": \"bad\"}')");
    RunId refuse = inbox.insert("(type, payload) values ('text.refuse.v1', '{\"why\": \"no\"}')");
    RunId unknown = inbox.insertOf("text.unknown.v1");
    RunId other = inbox.insertOf("image.shout.v1");
    RunId lost = inbox.insert("(type, payload) values ('text.shout.v1', '{\"text\": \"hi\"}')");
    inbox.leaseBriefly(lost, "dead");

    run("python", python("--until-idle", "--lease", "30"));

    assertThat(inbox.get(shout, "result ->> 'text'")).isEqualTo("HO");
    assertThat(inbox.kinds(shout)).isEqualTo("created leased succeeded");
    assertThat(inbox.run(fail).status()).isEqualTo(Status.PENDING);
    assertThat(inbox.run(fail).lastError().orElseThrow().message()).isEqualTo("attempt 1: bad");
    assertThat(inbox.run(refuse).lastError().orElseThrow().type()).isEqualTo("Permanent");
    assertThat(inbox.run(refuse).status()).isEqualTo(Status.FAILED);
    assertThat(inbox.kinds(unknown)).isEqualTo("created leased released");
    assertThat(inbox.kinds(other)).isEqualTo("created");
    assertThat(inbox.kinds(lost)).isEqualTo("created leased retried leased succeeded");
  }

  @Test
  void theWorkerInPythonStopsWhenItsRunIsCancelled() throws Exception {
    needsPythonAndItsDriver();
    RunId id = inbox.insertOf("text.wait.v1");
    Process worker = start(python("--lease", "3"));
    try {
      Await.until("it is leased", () -> inbox.run(id).status() == Status.RUNNING);
      inbox.change(Inbox.words("cancel", id));
      Await.until("it has stopped", () -> output().contains("stopped " + id));
    } finally {
      worker.destroy();
    }
    assertThat(worker.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(inbox.last(id)).isEqualTo(new Event.Cancelled("cancelled in SQL"));
  }

  @Test
  void theWorkerOfPsqlAndAShellCarriesOutRuns() throws Exception {
    assumeTrue(works("psql", "--version"), "did not run: there is no psql on this machine");
    RunId three = inbox.insert("(type, payload) values ('text.count.v1', '{\"text\": \"a b c\"}')");
    RunId none = inbox.insertOf("text.count.v1");

    run("psql", List.of("sh", EXAMPLES.resolve("sql/worker.sh").toString(), address()));

    assertThat(inbox.get(three, "result")).isEqualTo("3");
    assertThat(inbox.kinds(three)).isEqualTo("created leased succeeded");
    assertThat(inbox.run(none).lastError().orElseThrow().message())
        .isEqualTo("the payload has no text to count");
  }

  private static void needsPythonAndItsDriver() {
    assumeTrue(
        works(PYTHON, "-c", "import psycopg") || works(PYTHON, "-c", "import psycopg2"),
        "did not run: " + PYTHON + " lacks psycopg (Debian: python3-psycopg)");
  }

  private static boolean works(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> python(String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(PYTHON, EXAMPLES.resolve("python/worker.py").toString(), "--url", address()));
    command.addAll(List.of("--prefix", "text.%"));
    command.addAll(List.of(options));
    return command;
  }

  private static String address() {
    return Inbox.url().replaceFirst("^postgres:", "postgresql:");
  }

  private void run(String what, List<String> command) throws IOException, InterruptedException {
    Process process = start(command);
    boolean ended = process.waitFor(90, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as("%s has ended; it said: %s", what, output()).isTrue();
    assertThat(process.exitValue()).as("%s said: %s", what, output()).isZero();
  }

  private Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("output").toFile())
        .start();
  }

  private String output() {
    try {
      return Files.readString(directory.resolve("output"), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
