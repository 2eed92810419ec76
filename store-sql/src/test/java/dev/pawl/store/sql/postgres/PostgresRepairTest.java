package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import dev.pawl.store.sql.RepairScenes;
import dev.pawl.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.BeforeEach;

class PostgresRepairTest extends RepairScenes {
  private static final String URL = PostgresServer.shared().database();

  @BeforeEach
  void empty() {
    PostgresServer.empty(URL);
  }

  @Override
  protected Store open() {
    return PostgresStore.open(URL, PostgresOptions.defaults());
  }

  @Override
  protected String table() {
    return "workflow.workflow_run";
  }

  @Override
  protected String losingTheLease() {
    return "DELETE FROM workflow.workflow_log WHERE seq = 2; UPDATE workflow.workflow_run SET"
        + " entries = regexp_replace(entries, E'\\x1e2\\x1f[^\\x1d\\x1e]*', '')";
  }

  @Override
  protected String isRun(RunId id) {
    return "id = '" + id + "'";
  }

  /** As somebody would who knows how to keep the engine's own triggers out of it. */
  @Override
  protected void execute(String sql) {
    PostgresServer.execute(URL, "SET session_replication_role = replica; " + sql);
  }
}
