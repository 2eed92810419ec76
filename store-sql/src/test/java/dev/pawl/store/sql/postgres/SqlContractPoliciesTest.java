package dev.pawl.store.sql.postgres;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What whoever started a run said about its attempts, where a worker in SQL carries it out. */
@Timeout(120)
class SqlContractPoliciesTest {
  private static final String TYPE = "foreign.work.v1";

  private Inbox inbox;
  private Pawl pawl;

  @BeforeEach
  void open() {
    inbox = Inbox.open();
    pawl = Pawl.open(Inbox.url());
  }

  @AfterEach
  void closeAndCheck() {
    pawl.close();
    try {
      inbox.isSound();
    } finally {
      inbox.close();
    }
  }

  private RunId started(int maxAttempts, Map<String, String> tags) {
    return pawl.start(
            TYPE,
            Json.NULL,
            o -> {
              var options = o.maxAttempts(maxAttempts);
              for (Map.Entry<String, String> tag : tags.entrySet()) {
                options = options.tag(tag.getKey(), tag.getValue());
              }
              return options;
            })
        .id();
  }

  private void fail(RunId id, String error) {
    inbox.lease(id, "w");
    inbox.set(id, "status = 'pending', last_error = '" + error + "'");
  }

  private Duration wait(RunId id) {
    Run run = inbox.run(id);
    return Duration.between(run.updatedAt(), run.due().orElseThrow());
  }

  private Instant until(RunId id) {
    return inbox.run(id).lease().orElseThrow().until();
  }

  @Test
  void theWaitsAreThoseOfTheRun() {
    RunId id =
        started(
            9,
            Map.of(
                "pawl.retry.initial", "PT10S",
                "pawl.retry.factor", "3.0",
                "pawl.retry.cap", "PT1M",
                "pawl.retry.jitter", "false"));
    for (int seconds : new int[] {10, 30, 60, 60}) {
      fail(id, "no");
      assertThat(wait(id)).isEqualTo(ofSeconds(seconds));
      inbox.set(id, "run_at = now()");
    }
  }

  @Test
  void withJitterTheyAreAPartOfThat() {
    RunId id = started(3, Map.of("pawl.retry.initial", "PT10M"));
    fail(id, "no");
    assertThat(wait(id)).isBetween(Duration.ZERO, Duration.ofMinutes(10));
    assertThat(inbox.run(id).status()).isEqualTo(Status.PENDING);
  }

  @Test
  void whoSaysNothingKeepsTheWaitsOfTheInbox() {
    RunId plain = started(3, Map.of());
    RunId odd =
        started(3, Map.of("pawl.retry.other", "x", "pawl.timeout", "soon", "odd", "\u0000"));
    for (RunId id : new RunId[] {plain, odd}) {
      fail(id, "no");
      assertThat(wait(id)).isBetween(ofSeconds(60), ofSeconds(67));
    }
  }

  @Test
  void aCodeThatIsNotToBeTriedAgainEndsTheRun() {
    RunId id = started(9, Map.of("pawl.retry.nonRetryable", "FULL GONE"));
    fail(id, "{\"code\":\"BUSY\",\"message\":\"wait\"}");
    assertThat(inbox.run(id).status()).isEqualTo(Status.PENDING);
    inbox.set(id, "run_at = now()");
    fail(id, "{\"code\":\"GONE\",\"message\":\"it is gone\"}");
    assertThat(inbox.run(id).status()).isEqualTo(Status.FAILED);
    Event.Failed end = (Event.Failed) inbox.last(id);
    assertThat(end.failure().code()).isEqualTo("GONE");
    assertThat(end.failure().retryable()).isFalse();
  }

  @Test
  void aLeaseEndsWithTheTimeOfTheAttemptHoweverOftenItIsRenewed() {
    RunId id = started(3, Map.of("pawl.timeout", "PT5S"));
    inbox.lease(id, "w");
    Instant end = inbox.log(id).getLast().at().plusSeconds(5);
    assertThat(until(id)).isBetween(end.minusSeconds(1), end);
    assertThat(inbox.set(id, "lease_until = now() + interval '1 hour'")).isEqualTo(1);
    assertThat(until(id)).isBetween(end.minusSeconds(1), end);
    inbox.set(id, "status = 'succeeded', result = '1'");
    assertThat(inbox.run(id).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void anAttemptThatTookTooLongFailsWithATimeoutAndIsTriedAgain() {
    RunId id =
        started(
            2,
            Map.of(
                "pawl.timeout", "PT0.5S",
                "pawl.retry.initial", "PT10S",
                "pawl.retry.jitter", "false"));
    lateAttempt(id);
    Event.Retried retried = (Event.Retried) inbox.last(id);
    assertThat(retried.failure().code()).isEqualTo("TIMEOUT");
    assertThat(wait(id)).isEqualTo(ofSeconds(10));
    inbox.set(id, "run_at = now()");
    lateAttempt(id);
    assertThat(((Event.Failed) inbox.last(id)).failure().code()).isEqualTo("TIMEOUT");
  }

  private void lateAttempt(RunId id) {
    inbox.lease(id, "w");
    Await.until(
        "its time is over", () -> inbox.get(id, "lease_until < clock_timestamp()").equals("t"));
    assertThat(inbox.ask("select workflow.reap()")).containsExactly("1");
  }

  @Test
  void whoInsertsARunMaySayItToo() {
    pawl.register(
        Task.of(
                TYPE,
                String.class,
                String.class,
                in -> {
                  throw new IllegalStateException("no");
                })
            .retry(Retry.fixed(3, ofMillis(1))));
    pawl.work(worker -> worker.lease(ofSeconds(3)).poll(ofSeconds(20)));
    RunId id =
        inbox.insert(
            "(type, payload, tags) values ('"
                + TYPE
                + "', '\"x\"', '{\"pawl.retry.initial\": \"PT30S\", \"pawl.retry.jitter\":"
                + " \"false\"}')");
    Await.until("it is to be tried again", () -> inbox.kinds(id).endsWith("retried"));
    assertThat(wait(id)).isBetween(ofSeconds(29), ofSeconds(59));
  }
}
