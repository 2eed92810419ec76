package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Store;
import dev.pawl.store.sql.RandomCommands;
import dev.pawl.testkit.ManualClock;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while a store in a file is being written. What was acknowledged before is there
 * afterwards, what was under way is there whole or not at all, and the file is sound.
 *
 * <p>The disk is looked at whenever everything is synced: after each acknowledged commit and after
 * each checkpoint. Between two such looks any of the sectors that differ may have been written,
 * since nothing orders them, but for the head of a log that begins anew, which SQLite syncs before
 * all else; {@code docs/decisions/2026-11-16-trust.md} says what that proves.
 */
@Timeout(300)
class SqlitePowerLossTest {
  private static final int COMMITS = 60;
  private static final int CHECKPOINT_EVERY = 7;
  private static final double[] SHARES = {0, 0.05, 0.5, 0.95, 1};

  @TempDir Path directory;

  /** The disk, and everything in the store, at a moment when all is synced. */
  private record Look(Disk disk, String content) {}

  @Test
  void whatWasAcknowledgedIsThereAndWhatWasUnderWayIsThereWholeOrNotAtAll() throws SQLException {
    long seed = Long.getLong("pawl.seed", new SplittableRandom().nextInt());
    SplittableRandom chance = new SplittableRandom(seed);
    List<Look> looks = record(seed);
    int states = 0;
    for (int i = 0; i + 1 < looks.size(); i++) {
      Look before = looks.get(i);
      Look after = looks.get(i + 1);
      Disk headed = before.disk().headedLike(after.disk());
      List<Disk> disks = new ArrayList<>(List.of(headed));
      for (double share : SHARES) {
        disks.add(headed.onTheWayTo(after.disk(), share, chance));
      }
      disks.add(headed.tornOnTheWayTo(after.disk(), chance));
      for (Disk disk : disks) {
        assertThat(contentAfter(disk))
            .as("seed %d, between look %d and the next", seed, i)
            .isIn(before.content(), after.content());
        states++;
      }
    }
    System.out.printf("%d power failures between %d syncs, seed %d%n", states, looks.size(), seed);
  }

  /** What would happen without the sync at each commit must be noticed here, or nothing would. */
  @Test
  void aCommitThatWasAcknowledgedWithoutASyncIsMissed() throws SQLException {
    List<Look> looks = record(17);
    SplittableRandom chance = new SplittableRandom(17);
    int lost = 0;
    for (int i = 0; i + 2 < looks.size(); i++) {
      Look acknowledged = looks.get(i + 1);
      Disk disk = looks.get(i).disk().onTheWayTo(looks.get(i + 2).disk(), 0.5, chance);
      lost += isThere(disk, acknowledged, looks.get(i + 2)) ? 0 : 1;
    }
    assertThat(lost).as("commits that were acknowledged too early and got lost").isPositive();
  }

  private boolean isThere(Disk disk, Look acknowledged, Look underWay) {
    try {
      String content = contentAfter(disk);
      return content.equals(acknowledged.content()) || content.equals(underWay.content());
    } catch (SQLException | AssertionError broken) {
      return false;
    }
  }

  /** Works on a store, and looks at the disk after every commit and checkpoint. */
  private List<Look> record(long seed) throws SQLException {
    Path file = directory.resolve("store-" + seed + ".db");
    ManualClock clock = new ManualClock();
    RandomCommands commands = new RandomCommands(seed, 12);
    List<Look> looks = new ArrayList<>();
    try (Store store = SqliteStore.open(file, SqliteOptions.defaults().clock(clock));
        Connection other = connect(file)) {
      assertThat(store.durability()).contains("FULL");
      looks.add(look(file, other));
      for (int i = 1; i <= COMMITS; i++) {
        var batch = commands.batch(clock.instant());
        commands.learn(batch, store.commit(batch));
        clock.advance(Duration.ofSeconds(1));
        looks.add(look(file, other));
        if (i % CHECKPOINT_EVERY == 0) {
          checkpoint(other);
          looks.add(look(file, other));
        }
      }
    }
    assertThat(looks.getFirst().disk().isSameAs(looks.getLast().disk())).isFalse();
    return looks;
  }

  private static Look look(Path file, Connection other) throws SQLException {
    return new Look(Disk.read(file), content(other));
  }

  /** Carries everything over into the file, so that the next commit begins the log anew. */
  private static void checkpoint(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery("PRAGMA wal_checkpoint(PASSIVE)")) {
      assertThat(results.next()).isTrue();
      assertThat(results.getInt(2)).as("pages carried over").isEqualTo(results.getInt(3));
    }
  }

  /** What a process finds that opens the disk when the power is back. */
  private String contentAfter(Disk disk) throws SQLException {
    Path file = directory.resolve("after.db");
    disk.write(file);
    try (Connection connection = connect(file)) {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery("PRAGMA integrity_check")) {
        assertThat(results.getString(1)).isEqualTo("ok");
      }
      return content(connection);
    }
  }

  private static Connection connect(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  private static String content(Connection connection) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (String table : List.of("run", "event", "mail", "wait", "topic", "type")) {
      try (Statement statement = connection.createStatement();
          ResultSet results = statement.executeQuery("SELECT * FROM pawl_" + table)) {
        int columns = results.getMetaData().getColumnCount();
        while (results.next()) {
          text.append(table);
          for (int i = 1; i <= columns; i++) {
            Object cell = results.getObject(i);
            text.append('|').append(cell instanceof byte[] bytes ? hex(bytes) : cell);
          }
          text.append('\n');
        }
      }
    }
    return text.toString();
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }
}
