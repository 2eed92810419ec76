package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.log.RunId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a role needs that is not the owner of the schema. */
@Timeout(120)
class SqlContractRightsTest {
  private final String role = "guest_" + ProcessHandle.current().pid();
  private Inbox inbox;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
    inbox.change("create role " + role);
    inbox.change("grant usage on schema workflow to " + role);
  }

  @AfterEach
  void closeAndCheck() {
    inbox.change("reset role");
    inbox.change("drop owned by " + role);
    inbox.change("drop role " + role);
    try {
      inbox.isSound();
    } finally {
      inbox.close();
    }
  }

  private void become(String... grants) {
    for (String grant : grants) {
      inbox.change("grant " + grant + " to " + role);
    }
    inbox.change("set role " + role);
  }

  @Test
  void aProducerNeedsTheTableOfRunsAlone() {
    become(
        "select, insert on workflow.workflow_run",
        "update (status, last_error, updated_at) on workflow.workflow_run");

    RunId id = RunId.parse(inbox.ask(Inbox.words("create")).getFirst());
    assertThat(inbox.change(Inbox.words("cancel", id))).isEqualTo(1);

    assertThat(inbox.kinds(id)).isEqualTo("created cancelled");
    assertThatThrownBy(() -> inbox.ask("select count(*) from workflow.workflow_event"))
        .hasMessageContaining("permission denied");
  }

  @Test
  void aWorkerNeedsToWriteRunsAndNotes() {
    RunId id = inbox.insertOf("billing.a.v1");
    become(
        "select, update on workflow.workflow_run",
        "insert (workflow_id, event_type, data) on workflow.workflow_event");

    assertThat(inbox.ask(Inbox.words("claim"))).hasSize(1);
    inbox.leaseBriefly(id, "w");
    inbox.change(Inbox.words("note", id));
    assertThat(inbox.ask("select workflow.reap()")).containsExactly("1");
    inbox.lease(id, "w");
    inbox.set(id, "status = 'succeeded'");

    assertThat(inbox.kinds(id)).isEqualTo("created leased heartbeat retried leased succeeded");
  }
}
