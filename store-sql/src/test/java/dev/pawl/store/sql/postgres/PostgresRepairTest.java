package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import dev.pawl.store.sql.RepairScenes;
import dev.pawl.testkit.postgres.PostgresServer;

class PostgresRepairTest extends RepairScenes {
  private final String url = PostgresServer.shared().database();

  @Override
  protected Store open() {
    return PostgresStore.open(url, PostgresOptions.defaults());
  }

  @Override
  protected String table() {
    return "workflow.workflow_run";
  }

  @Override
  protected String logTable() {
    return "workflow.workflow_event";
  }

  @Override
  protected String isRun(RunId id) {
    return "id = '" + id + "'";
  }

  /** As somebody would who knows how to keep the engine's own triggers out of it. */
  @Override
  protected void execute(String sql) {
    PostgresServer.execute(url, "SET session_replication_role = replica; " + sql);
  }
}
