package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.blob.Blob;
import dev.pawl.store.Store;
import dev.pawl.testkit.contract.DurableBlobContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteBlobsTest extends DurableBlobContract {
  @TempDir Path directory;

  @Override
  protected Store open(InstantSource clock) {
    return SqliteStore.open(file(), SqliteOptions.defaults().clock(clock));
  }

  private Path file() {
    return directory.resolve("store.db");
  }

  @Override
  protected void damage(Blob blob) throws SQLException {
    setLastChunk("substr(data, 1, length(data) - 1) || x'2a'", blob);
  }

  @Override
  protected void shorten(Blob blob) throws SQLException {
    setLastChunk("substr(data, 1, length(data) - 1)", blob);
  }

  private void setLastChunk(String data, Blob blob) throws SQLException {
    execute(
        "UPDATE pawl_blob_chunk SET data = CAST("
            + data
            + " AS BLOB) WHERE chunk = 1 AND blob = (SELECT number FROM pawl_blob WHERE hash = '"
            + blob.sha256()
            + "')");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isEqualTo(1);
    }
  }

  private long ask(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      return results.getLong(1);
    }
  }

  @Test
  void whatAProcessLeftUnfinishedGoesWhenItIsOld() throws Exception {
    execute("INSERT INTO pawl_blob (written_at) VALUES (" + (store.now().toEpochMilli() - 1) + ")");
    execute("INSERT INTO pawl_blob_chunk SELECT max(number), 0, x'0102' FROM pawl_blob");
    execute("INSERT INTO pawl_blob (written_at) VALUES (" + store.now().toEpochMilli() + ")");

    blobs.collect(store.now());

    assertThat(ask("SELECT count(*) FROM pawl_blob")).isEqualTo(1);
    assertThat(ask("SELECT count(*) FROM pawl_blob_chunk")).isZero();
  }

  @Test
  void whatIsCollectedLeavesNoChunksAndNoReferences() throws Exception {
    var turn = store.begin();
    turn.succeed();
    blobs.write(turn.id(), out -> out.write(content(3_000_000, 40)));
    store.delete(turn.id());
    store.clock().advanceMillis(1);
    store.purge(java.time.Duration.ZERO, java.time.Duration.ZERO, 10);

    assertThat(blobs.collect(store.now())).isEqualTo(1);

    assertThat(ask("SELECT count(*) FROM pawl_blob")).isZero();
    assertThat(ask("SELECT count(*) FROM pawl_blob_chunk")).isZero();
    assertThat(ask("SELECT count(*) FROM pawl_blob_reference")).isZero();
  }
}
