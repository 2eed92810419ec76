package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Routes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What plain statements cannot do, and what they are told. */
@Timeout(120)
class SqlContractRefusalsTest {
  private static final String TYPE = "billing.invoice.v1";
  private static final String NOT_NOW = "55000";
  private static final String IN_USE = "55006";
  private static final String BAD_INPUT = "22023";

  private Inbox inbox;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
  }

  @AfterEach
  void close() {
    inbox.close();
  }

  /** A run in some state, made by statements. */
  private RunId in(String state) {
    RunId id = inbox.insertOf(TYPE);
    switch (state) {
      case "pending" -> {}
      case "scheduled" -> {
        inbox.set(id, "status = 'cancelled'");
        return inbox.insert("(type, run_at) values ('" + TYPE + "', now() + interval '1 hour')");
      }
      case "leased" -> inbox.lease(id, "w-1");
      case "engine" -> claimByTheEngine();
      case "cancelled" -> inbox.set(id, "status = 'cancelled'");
      default -> {
        inbox.lease(id, "w-1");
        inbox.set(id, "status = '" + state + "'");
      }
    }
    return id;
  }

  private void claimByTheEngine() {
    Command.Claimant java = new Command.Claimant("java-1", Duration.ofSeconds(30), 1);
    inbox.store.commit(List.of(new Command.Claim(java, Routes.of(TYPE), 1)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "pending; type = 'x'; 55000; type cannot be changed once the run is recorded",
        "pending; payload = '1', priority = 3; 55000; payload, priority cannot be changed",
        "pending; id = gen_random_uuid(); 55000; id cannot be changed",
        "pending; idempotency_key = 'k'; 55000; idempotency_key cannot be changed",
        "leased; max_attempts = 99; 55000; max_attempts cannot be changed",
        "pending; ttl = 5; 22023; cannot be written in SQL",
        "succeeded; ttl = 5; 22023; cannot be written in SQL",
        "pending; status = 'done'; 23514; cannot become 'done'",
        "leased; status = 'done'; 23514; cannot become 'done'",
        "pending; due_at = now(); 55000; Pawl itself keeps due_at, rank and entries; leave",
        "pending; rank = 1; 55000; Pawl itself keeps due_at, rank and entries; leave",
        "succeeded; entries = 'x'; 55000; Pawl itself keeps due_at, rank and entries; leave",
        "pending; epoch = 3; 55000; Pawl itself keeps epoch; leave it out",
        "leased; wakes = 3, sql_epoch = null; 55000; Pawl itself keeps wakes, sql_epoch",
        "pending; run_at = now() + interval '1 day'; 55000; can be brought forward, not put off",
        "pending; last_error = 'x'; 55000; a change before its start cannot change last_error",
        "pending; deleted_at = now(); 55000; cannot change deleted_at",
        "pending; status = 'succeeded'; 55000; is pending: it cannot become succeeded in SQL",
        "pending; status = 'failed'; 55000; is pending: it cannot become failed in SQL",
        "pending; status = 'suspended'; 55000; cannot become suspended in SQL",
        "pending; status = 'leased'; 22023; a claim names its worker in leased_by",
        "pending; status = 'leased', leased_by = 'w'; 22023; a claim says in lease_until",
        "pending; status = 'leased', leased_by = '', lease_until = 'infinity'; 22023; not be empty",
        "pending; status = 'leased', leased_by = 'w', lease_until = now() - interval '1 ms'; 22023;"
            + " a moment to come",
        "scheduled; status = 'leased', leased_by = 'w', lease_until = now() + '1 s'; 55000; not"
            + " due",
        "leased; status = 'suspended'; 55000; is leased: it cannot become suspended in SQL",
        "leased; leased_by = 'w-2'; 55006; is held by worker w-1 until",
        "leased; lease_until = null; 22023; a renewal says in lease_until until when",
        "leased; result = '1'; 55000; a renewal of its lease cannot change result",
        "leased; status = 'pending', attempt = 7; 22023; it cannot be attempt 7",
        "leased; status = 'succeeded', last_error = 'x'; 55000; a success cannot change last_error",
        "leased; deleted_at = now(); 55000; cannot change deleted_at",
        "engine; lease_until = now() + interval '1 hour'; 55006; is held by worker java-1",
        "engine; status = 'succeeded'; 55006; only that worker can make it succeeded",
        "engine; status = 'pending'; 55006; only that worker can make it pending",
        "engine; status = 'leased', leased_by = 'w'; 55006; nobody else can take or renew",
        "succeeded; status = 'failed'; 55000; has ended (succeeded): it cannot become failed",
        "cancelled; status = 'succeeded'; 55000; has ended (cancelled)",
        "failed; status = 'pending'; 55000; has ended (failed): it cannot become pending",
        "failed; last_error = 'x'; 55000; a change behind its end cannot change last_error",
        "succeeded; result = '1'; 55000; a change behind its end cannot change result",
      })
  void aChangeIsRefusedInOneSentence(
      String state, String assignments, String sqlState, String sentence) {
    RunId id = in(state.strip());
    Run before = inbox.run(id);

    Inbox.Refused refused =
        catchThrowableOfType(Inbox.Refused.class, () -> inbox.set(id, assignments));

    assertThat(refused).isNotNull();
    assertThat(refused.getMessage()).contains(sentence.strip());
    assertThat(refused.state()).isEqualTo(sqlState.strip());
    assertThat(inbox.run(id)).isEqualTo(before);
    inbox.isSound();
  }

  @ParameterizedTest
  @CsvSource({"pending", "leased", "engine", "succeeded"})
  void aChangeOfNothingChangesNothing(String state) {
    RunId id = in(state);
    Run before = inbox.run(id);

    assertThat(inbox.set(id, "updated_at = now(), status = status, payload = payload"))
        .isEqualTo(1);

    assertThat(inbox.run(id)).isEqualTo(before);
  }

  @Test
  void aDisabledTypeIsNotClaimed() {
    RunId id = in("pending");
    inbox.change(
        "insert into workflow.workflow_registry (workflow_name, runtime, is_enabled) values ('"
            + TYPE
            + "', 'go', false)");

    Inbox.Refused refused = catchThrowableOfType(Inbox.Refused.class, () -> inbox.lease(id, "w-1"));

    assertThat(refused.getMessage()).contains("the type " + TYPE + " is disabled");
    inbox.change("update workflow.workflow_registry set is_enabled = true");
    assertThat(inbox.lease(id, "w-1")).isEqualTo(1);
  }

  @Test
  void onlyAHiddenRunIsDeletedAndThenWithAllItHas() {
    RunId id = in("pending");
    String delete = "delete from workflow.workflow_run where id = '" + id + "'";

    assertRefused(delete, NOT_NOW, "is pending: it cannot be deleted as long as it is not hidden");
    inbox.set(id, "status = 'cancelled', deleted_at = now()");
    assertThat(inbox.run(id).deletedAt()).isPresent();
    inbox.isSound();

    assertThat(inbox.change(delete)).isEqualTo(1);
    assertThat(inbox.log(id)).isEmpty();
    inbox.isSound();
  }

  @Test
  void aHiddenRunCanBeShownAgain() {
    RunId id = in("failed");
    inbox.set(id, "deleted_at = now()");
    inbox.set(id, "deleted_at = null");

    assertThat(inbox.run(id).deletedAt()).isEmpty();
    inbox.isSound();
  }

  @Test
  void theLogIsNotTouched() {
    in("succeeded");

    assertRefused("update workflow.workflow_event set data = '{}'", NOT_NOW, "cannot be changed");
    assertRefused("delete from workflow.workflow_event", NOT_NOW, "cannot be deleted while");
    inbox.isSound();
  }

  @Test
  void aNoteNeedsARunAndAName() {
    RunId id = in("pending");

    assertRefused(
        "insert into workflow.workflow_event (workflow_id, event_type) values"
            + " ('00000000-0000-0000-0000-000000000001', 'started')",
        "23503",
        "there is no run 00000000-0000-0000-0000-000000000001");
    assertRefused(
        "insert into workflow.workflow_event (workflow_id, event_type) values ('" + id + "', '')",
        BAD_INPUT,
        "the type of an event must not be empty");
  }

  @Test
  void aWorkerThatLostItsLeaseToTheEngineIsTold() {
    RunId id = inbox.insertOf(TYPE);
    inbox.leaseBriefly(id, "w-1");
    claimByTheEngine();

    assertRefused(Inbox.words("heartbeat", id), IN_USE, "is held by worker java-1");
    assertRefused(
        "update workflow.workflow_run set status = 'succeeded'", IN_USE, "only that worker");
    inbox.isSound();
  }

  private void assertRefused(String sql, String state, String sentence) {
    Inbox.Refused refused = catchThrowableOfType(Inbox.Refused.class, () -> inbox.change(sql));
    assertThat(refused).isNotNull();
    assertThat(refused.getMessage()).contains(sentence);
    assertThat(refused.state()).isEqualTo(state);
  }
}
