package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What others write into the table of events. */
@Timeout(120)
class SqlContractNotesTest {
  private static final String TYPE = "billing.invoice.v1";

  private Inbox inbox;
  private RunId id;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
    id = inbox.insertOf(TYPE);
  }

  @AfterEach
  void closeAndCheck() {
    try {
      inbox.isSound();
    } finally {
      inbox.close();
    }
  }

  private void note(String kind, String data) {
    inbox.change(
        "insert into workflow.workflow_event (workflow_id, event_type, data) values ('"
            + id
            + "', '"
            + kind
            + "', '"
            + data
            + "')");
  }

  private List<String> notes() {
    return inbox.ask(
        "select event_type, data from workflow.workflow_event where workflow_id = '"
            + id
            + "' and seq is null order by id");
  }

  @Test
  void aWorkersHeartbeatIsAnEntryOfTheLog() {
    inbox.lease(id, "w");
    note("heartbeat", "{\"done\": 7}");
    note("heartbeat", "3");

    assertThat(inbox.kinds(id)).isEqualTo("created leased heartbeat heartbeat");
    assertThat(inbox.last(id)).isEqualTo(new Event.Heartbeat(Json.stored("3")));
    inbox.set(id, "status = 'succeeded'");
    assertThat(inbox.kinds(id)).isEqualTo("created leased heartbeat heartbeat succeeded");
  }

  @Test
  void anythingElseIsANoteBesideTheLog() {
    inbox.lease(id, "w");
    note("started", "{\"pid\": 12}");
    note("succeeded", "{}");
    note("any.words at all", "[]");

    assertThat(inbox.kinds(id)).isEqualTo("created leased");
    assertThat(notes())
        .containsExactly("started|{\"pid\": 12}", "succeeded|{}", "any.words at all|[]");
  }

  @Test
  void aNoteToARunThatNobodyHoldsHasNoNumber() {
    note("heartbeat", "{}");
    inbox.set(id, "status = 'cancelled'");
    note("heartbeat", "{}");

    assertThat(inbox.kinds(id)).isEqualTo("created cancelled");
    assertThat(notes()).hasSize(2);
  }

  @Test
  void aNoteDoesNotFenceAWorkerOfTheEngine() {
    Command.Claimant worker = new Command.Claimant("java-1", Duration.ofSeconds(30), 1);
    Outcome.Claimed claimed =
        (Outcome.Claimed) commit(new Command.Claim(worker, Routes.of(TYPE), 1));
    Activation held = claimed.activations().getFirst();
    note("heartbeat", "{\"by\": \"somebody else\"}");

    Outcome outcome =
        commit(
            new Command.Advance(
                id,
                held.run().epoch(),
                held.seq() + 1,
                0,
                List.of(new Event.Succeeded(Json.TRUE))));

    assertThat(outcome).isInstanceOf(Outcome.Advanced.class);
    assertThat(inbox.kinds(id)).isEqualTo("created leased succeeded");
    assertThat(notes()).hasSize(1);
  }

  private Outcome commit(Command command) {
    return inbox.store.commit(List.of(command)).getFirst();
  }
}
