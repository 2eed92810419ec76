package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DecideTest {
  private static final Instant T = Instant.parse("2030-01-01T00:00:00Z");
  private static final RunId ID = new RunId(new UUID(1, 2));
  private static final Command.Claimant ME = new Command.Claimant("me", Duration.ofSeconds(30), 7);
  private static final Failure FAILURE = Failure.of("OOPS", "m");

  @Test
  void aFirstStartIsTheFirstAttempt() {
    assertThat(Decide.claim(run(), false, ME, T))
        .isEqualTo(new Event.Leased("me", 1, T.plusSeconds(30), 1, false, 0, 7));
  }

  @Test
  void aRetryIsTheNextAttempt() {
    Run run = run(leased(1, 1, false, 0), new Event.Retried(FAILURE, T, false));

    assertThat(Decide.claim(run, false, ME, T))
        .isEqualTo(new Event.Leased("me", 2, T.plusSeconds(30), 2, false, 0, 7));
  }

  @Test
  void aResumeCountsNoAttempt() {
    Run run = run(leased(1, 2, false, 0), suspended());

    assertThat(Decide.claim(run, false, ME, T))
        .isEqualTo(new Event.Leased("me", 2, T.plusSeconds(30), 2, true, 0, 7));
  }

  /** A lost lease: was the turn a resumed one, had it got anywhere, and what comes of it. */
  @ParameterizedTest
  @CsvSource({
    // resumed, crashes, progressed -> attempt, resumed, crashes
    "false, 0, false, 2, false, 0",
    "false, 0, true,  1, true,  0",
    "true,  0, false, 1, true,  1",
    "true,  3, false, 1, true,  4",
    "true,  4, true,  1, true,  0",
  })
  void aLostLease(
      boolean wasResumed,
      int hadCrashed,
      boolean progressed,
      int attempt,
      boolean resumed,
      int crashes) {
    Run run = run(leased(1, 1, wasResumed, hadCrashed));

    assertThat(Decide.claim(run, progressed, ME, T))
        .isEqualTo(new Event.Leased("me", 2, T.plusSeconds(30), attempt, resumed, crashes, 7));
  }

  @Test
  void theLastAttemptLostIsTheEnd() {
    Event.Lifecycle decision = Decide.claim(run(leased(1, 3, false, 0)), false, ME, T);

    Failure failure = ((Event.Failed) decision).failure();
    assertThat(failure.code()).isEqualTo("WORKER_LOST");
    assertThat(failure.message()).contains("attempt 3 of 3").contains("last: w").contains("t.v1");
    assertThat(failure.source()).isEqualTo(new Failure.Source("run", ID.toString(), "t.v1"));
    assertThat(failure.attempt()).isEqualTo(3);
  }

  @Test
  void theLastAttemptWithProgressGoesOn() {
    assertThat(Decide.claim(run(leased(1, 3, false, 0)), true, ME, T))
        .isInstanceOf(Event.Leased.class);
  }

  @Test
  void theFifthCrashWithoutProgressIsTheEnd() {
    Event.Lifecycle decision =
        Decide.claim(run(leased(1, 1, true, Decide.MAX_CRASHES - 1)), false, ME, T);

    assertThat(((Event.Failed) decision).failure().code()).isEqualTo("POISONED");
    assertThat(((Event.Failed) decision).failure().message()).contains("5 times in a row");
  }

  @ParameterizedTest
  @CsvSource({
    "PENDING,   false, false, END",
    "PENDING,   true,  false, ASK",
    "PENDING,   true,  true,  END",
    "RUNNING,   false, false, ASK",
    "RUNNING,   false, true,  END",
    "SUSPENDED, false, false, END",
    "SUSPENDED, true,  false, ASK",
    "SUSPENDED, true,  true,  END",
    "SUCCEEDED, false, true,  REFUSE",
    "FAILED,    false, true,  REFUSE",
    "CANCELLED, false, false, REFUSE",
  })
  void howACancelReachesARun(
      Status status, boolean cleanup, boolean force, Decide.CancelWay expected) {
    assertThat(Decide.cancel(runThatIs(status, cleanup), force)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void whichRunsMayBeReopened(Status status) {
    Run run = runThatIs(status, false);
    boolean stuck =
        status == Status.FAILED || status == Status.CANCELLED || status == Status.SUSPENDED;

    assertThat(Decide.whyNotRewind(run, "retry").isEmpty()).isEqualTo(stuck);
    assertThat(Decide.whyNotRewind(run, "rewind")).isEmpty();
    Run deleted = run.change().deletedAt(Optional.of(T)).run();
    assertThat(Decide.whyNotRewind(deleted, "retry")).isPresent();
    assertThat(Decide.whyNotRewind(deleted, "rewind")).isPresent();
  }

  @Test
  void badNewsIsUrgent() {
    assertThat(Decide.isUrgent(new Event.ChildResult.Succeeded(Json.NULL))).isFalse();
    assertThat(Decide.isUrgent(new Event.ChildResult.Failed(FAILURE))).isTrue();
    assertThat(Decide.isUrgent(new Event.ChildResult.Cancelled("enough"))).isTrue();
  }

  private static Run runThatIs(Status status, boolean cleanup) {
    Event first = leased(1, 1, false, 0);
    return switch (status) {
      case PENDING -> cleanup ? run(first, new Event.Retried(FAILURE, T, true)) : run();
      case RUNNING -> run(first);
      case SUSPENDED ->
          run(first, new Event.Suspended(Optional.of(T), List.of(), 0, cleanup, Json.NULL));
      case SUCCEEDED -> run(first, new Event.Succeeded(Json.NULL));
      case FAILED -> run(first, new Event.Failed(FAILURE));
      case CANCELLED -> run(new Event.Cancelled("enough"));
    };
  }

  private static Event suspended() {
    return new Event.Suspended(Optional.of(T), List.of(), 0, false, Json.NULL);
  }

  private static Event leased(long epoch, int attempt, boolean resumed, int crashes) {
    return new Event.Leased("w", epoch, T, attempt, resumed, crashes, 1);
  }

  private static Run run(Event... events) {
    NewRun wanted = NewRun.of(ID, "t.v1", Json.NULL);
    List<Entry> log = new ArrayList<>();
    log.add(new Entry(1, T, 0, wanted.created(T, 0)));
    for (Event event : events) {
      log.add(new Entry(log.size() + 1, T, 0, event));
    }
    return Run.fold(ID, log);
  }
}
