package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.testkit.proxy.PostgresProxy;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the proxy does to connections, as a driver sees it. */
@Timeout(60)
class PostgresProxyTest {
  private final String url = PostgresServer.shared().database();
  private PostgresProxy proxy;

  @BeforeEach
  void aTableBehindAProxy() throws SQLException {
    proxy = PostgresProxy.before(URI.create(url).getPort());
    try (Connection direct = connect(URI.create(url).getPort())) {
      execute(direct, "CREATE TABLE IF NOT EXISTS note (text text)");
      execute(direct, "TRUNCATE note");
    }
  }

  @AfterEach
  void closeTheProxy() {
    proxy.close();
  }

  private Connection connect(int port) throws SQLException {
    URI uri = URI.create(url);
    String[] login = uri.getUserInfo().split(":", 2);
    return DriverManager.getConnection(
        "jdbc:postgresql://localhost:" + port + uri.getPath() + "?socketTimeout=20",
        login[0],
        login.length > 1 ? login[1] : "");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void insert(Connection connection, String text) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO note (text) VALUES (?)")) {
      insert.setString(1, text);
      insert.executeUpdate();
    }
  }

  private long notes() throws SQLException {
    try (Connection direct = connect(URI.create(url).getPort());
        Statement statement = direct.createStatement();
        ResultSet results = statement.executeQuery("SELECT count(*) FROM note")) {
      results.next();
      return results.getLong(1);
    }
  }

  @Test
  void passesEverythingOnWhileNothingIsAsked() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      connection.setAutoCommit(false);
      insert(connection, "x".repeat(300_000));
      connection.commit();
    }
    assertThat(notes()).isOne();
    assertThat(proxy.commits()).isOne();
    assertThat(proxy.dropped()).isZero();
  }

  @Test
  void losesExactlyTheAnswerToACommit() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      connection.setAutoCommit(false);
      proxy.dropCommitReplies(1);
      insert(connection, "kept");
      assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    }
    assertThat(notes()).as("the commit took place all the same").isOne();
    assertThat(proxy.dropped()).isOne();
  }

  @Test
  void knowsACommitWithoutATransactionBlock() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery("SELECT 1").close();
      }
      proxy.dropCommitReplies(1);
      assertThatThrownBy(() -> insert(connection, "kept")).isInstanceOf(SQLException.class);
    }
    assertThat(notes()).isOne();
  }

  @Test
  void doesNotTakeARollbackOrAReadForACommit() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      connection.setAutoCommit(false);
      proxy.dropCommitReplies(1);
      insert(connection, "gone");
      connection.rollback();
      connection.setAutoCommit(true);
      execute(connection, "SELECT * FROM note");
      assertThat(proxy.dropped()).isZero();
      assertThatThrownBy(() -> insert(connection, "kept")).isInstanceOf(SQLException.class);
    }
    assertThat(notes()).isOne();
  }

  @Test
  void losesEverySoManiethAnswer() throws SQLException {
    proxy.dropEveryCommitReply(3);
    int failed = 0;
    for (int i = 0; i < 9; i++) {
      try (Connection connection = connect(proxy.port())) {
        insert(connection, "note " + i);
      } catch (SQLException e) {
        failed++;
      }
    }
    assertThat(failed).isEqualTo(3);
    assertThat(notes()).isEqualTo(9);
  }

  @Test
  void resetsConnections() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      assertThat(proxy.reset()).isOne();
      assertThatThrownBy(() -> insert(connection, "x")).isInstanceOf(SQLException.class);
    }
    assertThat(notes()).isZero();
  }

  @Test
  void letsConnectionsFallSilentWithoutAWord() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      proxy.silence();
      CountDownLatch failed = new CountDownLatch(1);
      CompletableFuture<Void> insertion =
          CompletableFuture.runAsync(() -> {
            try {
              insert(connection, "x");
            } catch (SQLException e) {
              failed.countDown();
            }
          });
      try (Connection other = connect(proxy.port())) {
        insert(other, "a new connection is as usual");
      }
      assertThat(insertion.isDone()).isFalse();
      proxy.reset();
      Await.open("the silent one is told at last", failed);
    }
    assertThat(notes()).isOne();
  }

  @Test
  void holdsAnswersBack() throws SQLException {
    try (Connection connection = connect(proxy.port())) {
      proxy.delay(Duration.ofHours(1));
      CompletableFuture<Boolean> insertion =
          CompletableFuture.supplyAsync(() -> {
            try {
              insert(connection, "x");
              return true;
            } catch (SQLException e) {
              return false;
            }
          });
      Await.until("the note is written", () -> countsOne());
      assertThat(insertion.isDone()).as("but its writer does not know").isFalse();
      proxy.reset();
      assertThat(insertion.join()).isFalse();
    }
  }

  private boolean countsOne() {
    try {
      return notes() == 1;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
