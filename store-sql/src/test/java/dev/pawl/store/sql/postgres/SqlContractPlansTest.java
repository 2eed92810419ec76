package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How Postgres goes about the statements of workers in SQL when there is a lot in the table. */
@Timeout(120)
class SqlContractPlansTest {
  private static final int RUNS = 100_000;

  /** Written as the engine writes, which is faster. */
  private static final String FILL =
      "insert into workflow.workflow_run (type, status, version, lease_until, sql_epoch) select"
          + " case when i % 500 = 0 then 'billing.t' || i % 7 || '.v1' when i % 500 = 1 then"
          + " 'payment.take.v1' else 'content.t' || i % 50 || '.v1' end, case when i % 3 = 2 then"
          + " 'succeeded' else 'pending' end, 1, null, null from generate_series(1, "
          + RUNS
          + ") i";

  @Test
  void aClaimByPrefixGoesThroughItsIndex() {
    try (Inbox inbox = Inbox.open()) {
      inbox.change(FILL);
      inbox.change("analyze workflow.workflow_run");

      String plan = plan(inbox, Inbox.words("claim"));

      assertThat(plan).contains("idx_workflow_run_type_prefix").doesNotContain("Seq Scan");
      assertThat(inbox.ask(Inbox.words("claim"))).hasSize(1);
    }
  }

  @Test
  void reapingLooksAtNothingButLeasesInSql() {
    try (Inbox inbox = Inbox.open()) {
      inbox.change(FILL);
      inbox.change("analyze workflow.workflow_run");

      String plan =
          plan(
              inbox,
              "select id from workflow.workflow_run where status = 'leased' and sql_epoch = epoch"
                  + " and lease_until <= clock_timestamp() order by lease_until limit 100 for"
                  + " update skip locked");

      assertThat(plan).contains("workflow_run_sql_lease").doesNotContain("Seq Scan");
      assertThat(inbox.ask("select workflow.reap()")).containsExactly("0");
    }
  }

  private static String plan(Inbox inbox, String sql) {
    List<String> lines = inbox.ask("explain " + sql);
    return String.join("\n", lines);
  }
}
