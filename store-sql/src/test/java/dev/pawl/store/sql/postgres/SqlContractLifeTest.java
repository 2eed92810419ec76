package dev.pawl.store.sql.postgres;

import static dev.pawl.store.sql.postgres.Inbox.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The settled statements, word for word. */
@Timeout(120)
class SqlContractLifeTest {
  private Inbox inbox;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
  }

  @AfterEach
  void close() {
    inbox.close();
  }

  @Test
  void theFirstCreationReturnsTheIdAndTheSecondNothing() {
    List<String> first = inbox.ask(words("create"));
    List<String> second = inbox.ask(words("create"));

    assertThat(first).hasSize(1);
    assertThat(second).isEmpty();
    RunId id = RunId.parse(first.getFirst());
    assertThat(inbox.kinds(id)).isEqualTo("created");
    assertThat(inbox.run(id).payload().text())
        .isEqualTo("{\"content_id\":\"c_123\", \"width\": 300, \"height\": 300}");
    assertThat(inbox.run(id).key()).contains("content:c_123:thumbnail:300x300");
    inbox.isSound();
  }

  @Test
  void aRunIsClaimedHeartbeatenAndFinished() throws SQLException {
    RunId later = inbox.insert("(type, priority) values ('payment.take.v1', 200)");
    RunId other = inbox.insertOf("content.ocr.v1");
    RunId id = inbox.insert("(type, payload) values ('billing.invoice.v1', '{\"order\": 17}')");

    inbox.connection.setAutoCommit(false);
    List<String> claimed = inbox.ask(words("claim"));
    assertThat(claimed).containsExactly(id + "|billing.invoice.v1|{\"order\": 17}|0|3");
    assertThat(inbox.lease(id, "w-1")).isEqualTo(1);
    inbox.connection.commit();
    inbox.connection.setAutoCommit(true);
    inbox.isSound();

    assertThat(inbox.change(words("heartbeat", id))).isEqualTo(1);
    assertThat(inbox.change(words("note", id))).isEqualTo(1);
    assertThat(inbox.ask(words("check", id))).containsExactly("leased");
    inbox.isSound();

    inbox.set(id, "status = 'succeeded', result = '{\"sent\": true}', updated_at = now()");

    assertThat(inbox.kinds(id)).isEqualTo("created leased heartbeat succeeded");
    assertThat(inbox.run(id).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(inbox.change(words("heartbeat", id))).isZero();
    assertThat(inbox.run(other).status()).isEqualTo(Status.PENDING);
    assertThat(inbox.run(later).status()).isEqualTo(Status.PENDING);
    inbox.isSound();
  }

  @Test
  void aPendingRunIsCancelled() {
    RunId id = inbox.insertOf("billing.invoice.v1");

    assertThat(inbox.change(words("cancel", id))).isEqualTo(1);

    assertThat(inbox.ask(words("check", id))).containsExactly("cancelled");
    assertThat(inbox.ask(words("claim"))).isEmpty();
    assertThat(inbox.last(id)).isEqualTo(new Event.Cancelled("cancelled in SQL"));
    assertThat(inbox.change(words("cancel", id))).isZero();
    inbox.isSound();
  }

  @Test
  void aWorkerFindsThatItsRunWasCancelled() {
    RunId id = inbox.insertOf("billing.invoice.v1");
    inbox.lease(id, "w-1");

    assertThat(inbox.change(words("cancel", id))).isEqualTo(1);

    assertThat(inbox.change(words("heartbeat", id))).isZero();
    assertThat(inbox.ask(words("check", id))).containsExactly("cancelled");
    assertThat(inbox.kinds(id)).isEqualTo("created leased cancelled");
    inbox.isSound();
  }

  @Test
  void everythingInOneTransactionIsThereOrNot() throws SQLException {
    inbox.connection.setAutoCommit(false);
    RunId id = RunId.parse(inbox.ask(words("create")).getFirst());
    inbox.lease(id, "w-1");
    inbox.set(id, "status = 'succeeded'");
    inbox.connection.rollback();
    inbox.connection.setAutoCommit(true);

    assertThat(inbox.store.run(id)).isEmpty();
    assertThat(inbox.log(id)).isEmpty();
    assertThat(inbox.ask(words("create"))).hasSize(1);
    inbox.isSound();
  }
}
