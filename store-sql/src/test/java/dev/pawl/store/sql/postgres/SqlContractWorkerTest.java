package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that speak nothing but SQL. */
@Timeout(120)
class SqlContractWorkerTest {
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

  private Run run() {
    return inbox.run(id);
  }

  private Failure lastError() {
    return run().lastError().orElseThrow();
  }

  @Nested
  class Claims {
    @Test
    void aFirstStartIsTheFirstAttempt() {
      inbox.lease(id, "w-1");

      Event.Leased leased = (Event.Leased) inbox.last(id);
      assertThat(leased.worker()).isEqualTo("w-1");
      assertThat(leased.attempt()).isEqualTo(1);
      assertThat(leased.epoch()).isEqualTo(1);
      assertThat(run().lease().map(Run.Lease::until)).contains(leased.until());
      assertThat(run().epoch()).isEqualTo(1);
      assertThat(run().begun()).isTrue();
    }

    @Test
    void anExpiredLeaseCanBeTakenOver() {
      inbox.leaseBriefly(id, "w-1");
      inbox.lease(id, "w-2");

      assertThat(run().lease().map(Run.Lease::worker)).contains("w-2");
      assertThat(run().attempt()).isEqualTo(2);
      assertThat(run().epoch()).isEqualTo(2);
    }

    @Test
    void aRunThatLosesItsLastWorkerFailsWhenItIsClaimed() {
      for (String worker : List.of("w-1", "w-2", "w-3")) {
        inbox.leaseBriefly(id, worker);
      }
      assertThat(inbox.lease(id, "w-4")).isEqualTo(1);

      assertThat(run().status()).isEqualTo(Status.FAILED);
      assertThat(lastError().code()).isEqualTo("WORKER_LOST");
      assertThat(lastError().message()).endsWith("its worker died in attempt 3 of 3 (last: w-3)");
    }

    @Test
    void aWorkerMayCountTheAttemptItself() {
      inbox.set(
          id,
          "status = 'leased', leased_by = 'w', attempt = attempt + 1, lease_until = now() +"
              + " interval '1 minute'");

      assertThat(run().attempt()).isEqualTo(1);
    }

    @Test
    void theSameWorkersSecondClaimRenewsItsLease() {
      inbox.lease(id, "w-1");
      inbox.lease(id, "w-1");

      assertThat(run().attempt()).isEqualTo(1);
      assertThat(inbox.kinds(id)).isEqualTo("created leased");
    }
  }

  @Nested
  class Heartbeats {
    @Test
    void aRenewalIsNoEntryAndOnlyProlongs() {
      inbox.set(id, "status = 'leased', leased_by = 'w', lease_until = now() + interval '1 hour'");
      String until = inbox.get(id, "lease_until");

      inbox.change(Inbox.words("heartbeat", id));
      assertThat(inbox.get(id, "lease_until")).isEqualTo(until);

      inbox.set(id, "lease_until = now() + interval '2 hours', updated_at = now()");
      assertThat(inbox.get(id, "lease_until > '" + until + "'")).isEqualTo("t");
      assertThat(inbox.kinds(id)).isEqualTo("created leased");
    }

    @Test
    void anExpiredLeaseThatNobodyTookCanBeRenewed() {
      inbox.leaseBriefly(id, "w");

      assertThat(inbox.change(Inbox.words("heartbeat", id))).isEqualTo(1);
      inbox.set(id, "status = 'succeeded'");
      assertThat(run().result()).isEqualTo(Optional.of(Json.NULL));
    }
  }

  @Nested
  class Ends {
    @BeforeEach
    void lease() {
      inbox.lease(id, "w");
    }

    @Test
    void aSuccessKeepsItsResult() {
      inbox.set(
          id,
          "status = 'succeeded', result = ' {\"a\": [1]} ', leased_by = null, lease_until = null,"
              + " last_error = null, updated_at = now()");

      assertThat(inbox.last(id)).isEqualTo(new Event.Succeeded(Json.stored("{\"a\": [1]}")));
      assertThat(run().epoch()).isEqualTo(2);
      assertThat(run().finishedAt()).isPresent();
    }

    @Test
    void aSentenceBecomesAFailure() {
      inbox.set(id, "status = 'failed', last_error = 'the \"printer\" is on fire'");

      assertThat(run().status()).isEqualTo(Status.FAILED);
      assertThat(lastError())
          .isEqualTo(
              Failure.of("ERROR", "the \"printer\" is on fire")
                  .atAttempt(1)
                  .from(new Failure.Source("run", id.toString(), TYPE)));
    }

    @Test
    void aFailureInJsonIsKept() {
      inbox.set(
          id,
          "status = 'failed', last_error = '{\"code\": \"PRINTER\", \"message\": \"on fire\","
              + " \"type\": \"OSError\", \"data\": {\"degrees\": 451}, \"stack\": \"line 1\"}'");

      assertThat(lastError().code()).isEqualTo("PRINTER");
      assertThat(lastError().type()).isEqualTo("OSError");
      assertThat(lastError().data()).isEqualTo(Json.stored("{\"degrees\": 451}"));
      assertThat(lastError().stack()).isEqualTo("line 1");
    }

    @Test
    void whatOnlyLooksLikeJsonIsASentence() {
      inbox.set(id, "status = 'failed', last_error = '{\"code\": '");

      assertThat(lastError().message()).isEqualTo("{\"code\": ");
    }

    @Test
    void aFailureWithoutReasonSaysSo() {
      inbox.set(id, "status = 'failed'");

      assertThat(lastError().message()).startsWith("the worker gave no reason");
    }
  }

  @Nested
  class Retries {
    @BeforeEach
    void lease() {
      inbox.lease(id, "w");
    }

    private Duration pause() {
      Event.Retried retried = (Event.Retried) inbox.last(id);
      return Duration.between(run().updatedAt(), retried.runAt());
    }

    @Test
    void anAttemptThatTheWorkerCountsIsNotCountedTwice() {
      inbox.set(
          id,
          "status = 'pending', attempt = attempt + 1, last_error = 'busy', leased_by = null,"
              + " lease_until = null, run_at = now() + interval '1 second', updated_at = now()");

      assertThat(run().status()).isEqualTo(Status.PENDING);
      assertThat(run().attempt()).isEqualTo(1);
      assertThat(lastError().message()).isEqualTo("busy");
      assertThat(lastError().retryable()).isTrue();
      assertThat(pause()).isLessThanOrEqualTo(Duration.ofMillis(1001));
    }

    @Test
    void withoutATimeTheWaitGrowsWithTheSquareOfTheAttempts() {
      inbox.set(id, "status = 'pending', last_error = 'busy'");
      assertThat(pause()).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(67));

      inbox.set(id, "run_at = now()");
      inbox.lease(id, "w");
      inbox.set(id, "status = 'pending', last_error = 'busy'");
      assertThat(pause()).isBetween(Duration.ofMinutes(4), Duration.ofSeconds(265));
      assertThat(inbox.ask("select workflow.backoff(3) between '9 minutes' and '9.9 minutes'"))
          .containsExactly("t");
    }

    @Test
    void aRetryWithNoAttemptLeftIsAFailure() {
      for (int i = 0; i < 2; i++) {
        inbox.set(id, "status = 'pending', last_error = 'busy', run_at = now()");
        inbox.lease(id, "w");
      }
      inbox.set(id, "status = 'pending', last_error = 'still busy', run_at = now()");

      assertThat(run().status()).isEqualTo(Status.FAILED);
      assertThat(run().attempt()).isEqualTo(3);
      assertThat(lastError().message()).isEqualTo("still busy");
      assertThat(inbox.kinds(id)).isEqualTo("created leased retried leased retried leased failed");
    }

    @Test
    void aRunThatIsGivenBackUnharmedHasLostNoAttempt() {
      inbox.set(
          id, "status = 'pending', attempt = attempt - 1, leased_by = null, lease_until = null");

      assertThat(run().attempt()).isZero();
      assertThat(run().status()).isEqualTo(Status.PENDING);
      assertThat(inbox.kinds(id)).isEqualTo("created leased released");
      assertThat(inbox.lease(id, "w-2")).isEqualTo(1);
    }
  }

  @Nested
  class Reaping {
    @Test
    void expiredLeasesBecomePendingAgain() {
      RunId held = inbox.insertOf(TYPE);
      inbox.lease(held, "w-2");
      inbox.leaseBriefly(id, "w-1");

      assertThat(inbox.ask("select workflow.reap()")).containsExactly("1");

      assertThat(run().status()).isEqualTo(Status.PENDING);
      assertThat(lastError().code()).isEqualTo("WORKER_LOST");
      assertThat(lastError().message()).contains("lost its worker w-1 in attempt 1 of 3");
      assertThat(inbox.ask(Inbox.words("claim"))).hasSize(1);
      assertThat(inbox.run(held).status()).isEqualTo(Status.RUNNING);
      assertThat(inbox.ask("select workflow.reap()")).containsExactly("0");
    }

    @Test
    void theLastAttemptFails() {
      RunId last = inbox.insert("(type, max_attempts) values ('" + TYPE + "', 1)");
      inbox.leaseBriefly(last, "w");

      assertThat(inbox.ask("select workflow.reap(10)")).containsExactly("1");
      assertThat(inbox.run(last).status()).isEqualTo(Status.FAILED);
    }

    @Test
    void noMoreThanAskedFor() {
      inbox.leaseBriefly(id, "w");
      inbox.leaseBriefly(inbox.insertOf(TYPE), "w");

      assertThat(inbox.ask("select workflow.reap(1)")).containsExactly("1");
      assertThat(inbox.ask("select workflow.reap(1)")).containsExactly("1");
      assertThat(inbox.ask("select workflow.reap(1)")).containsExactly("0");
    }
  }
}
