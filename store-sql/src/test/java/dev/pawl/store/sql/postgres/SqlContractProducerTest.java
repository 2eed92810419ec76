package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that are inserted by a plain statement. */
@Timeout(120)
class SqlContractProducerTest {
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

  private Event.Created created(RunId id) {
    return (Event.Created) inbox.log(id).getFirst().event();
  }

  @Test
  void theRowAndTheFirstEntrySayTheSame() {
    RunId id =
        inbox.insert(
            "(type, payload, priority, run_at, max_attempts, tags, deadline) values ('a.b.v1', E'"
                + " \\n[1, \"ü\"]\\t', 7, '2040-01-01 00:00:00.000001Z', 9, '{\"who\": \"me\"}',"
                + " '2041-01-01 00:00:00.1239Z')");
    Run run = inbox.run(id);

    assertThat(run.payload()).isEqualTo(Json.stored("[1, \"ü\"]"));
    assertThat(run.due()).contains(Instant.parse("2040-01-01T00:00:00.001Z"));
    assertThat(run.deadline()).contains(Instant.parse("2041-01-01T00:00:00.124Z"));
    assertThat(run.root()).isEqualTo(id);
    assertThat(run.tags()).isEqualTo(Map.of("who", "me", "pawl.backoff", "quadratic"));
    assertThat(created(id).maxAttempts()).isEqualTo(9);
    assertThat(Run.fold(id, inbox.log(id))).isEqualTo(run);
    inbox.isSound();
  }

  @Test
  void whatIsDueNowCanBeClaimedInTheSameTransaction() throws Exception {
    inbox.connection.setAutoCommit(false);
    inbox.insertOf("billing.a.v1");

    assertThat(inbox.ask(Inbox.words("claim"))).hasSize(1);
    inbox.connection.commit();
    inbox.connection.setAutoCommit(true);
  }

  @Test
  void aProducerMayBringTheIdAndChooseTheWaits() {
    UUID id = UUID.randomUUID();
    inbox.change(
        "insert into workflow.workflow_run (id, type, tags) values ('"
            + id
            + "', 'a.b.v1', '{\"pawl.backoff\":\"standard\"}')");

    assertThat(inbox.run(new RunId(id)).tags()).isEqualTo(Map.of("pawl.backoff", "standard"));
    inbox.isSound();
  }

  @Test
  void aRunSeesWhatIsEmittedAfterItWasInserted() {
    inbox.store.commit(List.of(new Command.Emit(UUID.randomUUID(), "news", Json.TRUE)));

    assertThat(inbox.run(inbox.insertOf("a.b.v1")).since()).isEqualTo(1);
    inbox.isSound();
  }

  @Test
  void manyAreInsertedAtOnceAndAConflictCanReturnTheOldOne() {
    inbox.change(
        "insert into workflow.workflow_run (type, idempotency_key) select 'a.b.v1', 'k' || i from"
            + " generate_series(1, 50) i");
    String old =
        inbox.ask("select id from workflow.workflow_run where idempotency_key = 'k7'").getFirst();

    RunId again =
        inbox.insert(
            "(type, idempotency_key) values ('a.b.v1', 'k7') on conflict (idempotency_key) do"
                + " update set updated_at = now()");

    assertThat(again).hasToString(old);
    assertThat(inbox.kinds(again)).isEqualTo("created");
    assertThat(inbox.get(again, "version")).isEqualTo("1");
    inbox.isSound();
  }

  @Test
  void aDefinitionHasToBeDeployed() {
    Definition known = Definition.of("a.b.v1", "script", "x");
    inbox.store.commit(List.of(new Command.Deploy(known)));

    assertThat(
            inbox
                .run(inbox.insert("(type, definition) values ('a.b.v1', '" + known.hash() + "')"))
                .definition())
        .isEqualTo(Optional.of(known.hash()));
    assertThat(refusal("(type, definition) values ('a.b.v1', 'h2')").getMessage())
        .contains("the type a.b.v1 has no definition h2; deploy it first");
    inbox.isSound();
  }

  @Test
  void aBroughtForwardRunIsDueAtOnce() {
    RunId id = inbox.insert("(type, run_at) values ('a.b.v1', now() + interval '1 hour')");
    inbox.set(id, "run_at = now()");

    assertThat(inbox.lease(id, "w")).isEqualTo(1);
    assertThat(inbox.run(id).status()).isEqualTo(Status.RUNNING);
    inbox.isSound();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "(type) values ('a b'); the type 'a b' has a ' ' in it; a type looks like",
        "(type) values ('billing.%'); has a '%' in it",
        "(type) values (''); a type must not be empty",
        "(type) values (repeat('x', 201)); a type has at most 200 characters, this one has 201",
        "(type) values (repeat('😀', 101)); a type has at most 200 characters",
        "(type) values (E'a\\u0085'); a type has a control character in it",
        "(type, idempotency_key) values ('a', ''); an idempotency key must not be empty",
        "(type, status) values ('a', 'leased'); a new run is pending, not leased",
        "(type, status) values ('a', 'cancelled'); a new run is pending, not cancelled",
        "(type, max_attempts) values ('a', 0); a run needs at least 1 attempt, not 0",
        "(type, max_attempts) values ('a', -3); a run needs at least 1 attempt, not -3",
        "(type, attempt, leased_by) values ('a', 1, 'w'); left out: attempt, leased_by",
        "(type, ttl) values ('a', 1000); cannot be written in SQL",
        "(type, entries) values ('a', ''); a run's entries are written by Pawl itself; leave them"
            + " out",
        "(type, result) values ('a', '1'); these columns have to be left out: result",
        "(type, parent_id) values ('a', gen_random_uuid()); only its parent can start a child",
        "(type, tags) values ('a', '[]'); tags are a JSON object of texts, not array",
        "(type, tags) values ('a', '{\"x\": 1}'); the tag 'x' has to be a text, not number",
        "(type, tags) values ('a', '{\"\": \"\"}'); a tag's name must not be empty",
      })
  void badInputIsRefusedInOneSentence(String insert, String sentence) {
    Inbox.Refused refused = refusal(insert);

    assertThat(refused.getMessage()).contains(sentence.strip());
    assertThat(refused.state()).isEqualTo(BAD_INPUT);
    assertThat(inbox.ask("select count(*) from workflow.workflow_event")).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "-0.5e3", "\"\\u0000\\ud800\"", "{\"a\":{\"a\":[]}}"})
  void anyPayloadSurvives(String payload) {
    RunId id = inbox.insert("(type, payload) values ('a.b.v1', '" + payload + "')");

    assertThat(inbox.run(id).payload()).isEqualTo(Json.stored(payload));
    inbox.isSound();
  }

  private Inbox.Refused refusal(String insert) {
    return catchThrowableOfType(Inbox.Refused.class, () -> inbox.insert(insert));
  }
}
