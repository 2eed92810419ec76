package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.blob.Blob;
import dev.pawl.store.Store;
import dev.pawl.testkit.contract.DurableBlobContract;
import dev.pawl.testkit.postgres.PostgresServer;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class PostgresBlobsTest extends DurableBlobContract {
  private static final String URL = PostgresServer.shared().database();

  @Override
  protected Store open(InstantSource clock) {
    PostgresServer.empty(URL);
    return PostgresStore.open(URL, PostgresOptions.defaults().clock(clock));
  }

  @Override
  protected void damage(Blob blob) {
    setLastChunk("set_byte(data, length(data) - 1, get_byte(data, length(data) - 1) # 1)", blob);
  }

  @Override
  protected void shorten(Blob blob) {
    setLastChunk("substring(data FROM 1 FOR length(data) - 1)", blob);
  }

  private static void setLastChunk(String data, Blob blob) {
    PostgresServer.execute(
        URL,
        "UPDATE workflow.workflow_blob_chunk SET data = "
            + data
            + " WHERE chunk = 1 AND blob = (SELECT number FROM workflow.workflow_blob WHERE hash ="
            + " '"
            + blob.sha256()
            + "')");
  }

  @Test
  void whatAProcessLeftUnfinishedGoesWhenItIsOld() {
    PostgresServer.execute(
        URL,
        "INSERT INTO workflow.workflow_blob (written_at) VALUES (workflow.moment("
            + (store.now().toEpochMilli() - 1)
            + ")), (workflow.moment("
            + store.now().toEpochMilli()
            + "))",
        "INSERT INTO workflow.workflow_blob_chunk SELECT min(number), 0, '\\x0102' FROM"
            + " workflow.workflow_blob");

    blobs.collect(store.now());

    assertThat(PostgresServer.query(URL, "SELECT count(*) FROM workflow.workflow_blob"))
        .containsExactly("1");
    assertThat(PostgresServer.query(URL, "SELECT count(*) FROM workflow.workflow_blob_chunk"))
        .containsExactly("0");
  }
}
