package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pawl doctor --repair}. */
class RepairTest {
  @TempDir Path directory;
  private Shell shell;

  @BeforeEach
  void aStoreWithABrokenRow() throws SQLException {
    shell = new Shell(directory);
    shell.ok("start", "a.b.v1", "{}", "--key", "one");
    shell.ok("start", "a.b.v1", "{}", "--key", "two");
    execute("UPDATE pawl_run SET priority = 7, attempt = 3 WHERE idempotency_key = 'one'");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + shell.file());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void repairsAfterAsking() {
    Shell.Result no = shell.typing("n\n", "doctor", "--repair");
    assertThat(no.exit()).isEqualTo(1);
    assertThat(no.err()).contains("rebuild 1 row from its log? [y/N]", "nothing was changed");
    assertThat(shell.run("doctor").exit()).isEqualTo(1);

    Shell.Result yes = shell.typing("y\n", "doctor", "--repair");
    assertThat(yes.exit()).isZero();
    assertThat(yes.out()).contains("S6", "repaired");
    assertThat(shell.ok("doctor")).contains("all is well", "2 runs");
  }

  @Test
  void aProgramSaysYesBeforehand() {
    shell.run("doctor", "--repair", "--json");
    assertThat(shell.run("doctor").exit()).as("nobody said yes").isEqualTo(1);

    assertThat(shell.ok("doctor", "--repair", "--yes", "--json"))
        .contains("\"repaired\":true", "\"why\":\"\"");
    assertThat(shell.ok("doctor")).contains("all is well");
  }

  @Test
  void whatCannotBeRepairedIsSaid() throws SQLException {
    execute("DELETE FROM pawl_event WHERE rid = 2");

    Shell.Result result = shell.run("doctor", "--repair", "--yes");

    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).contains("repaired", "not repaired", "its log itself is damaged");
  }

  @Test
  void nothingIsAskedWhereNothingIsBroken() {
    shell.ok("doctor", "--repair", "--yes");
    assertThat(shell.ok("doctor", "--repair")).contains("all is well");
  }
}
