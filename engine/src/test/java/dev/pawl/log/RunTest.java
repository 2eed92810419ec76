package dev.pawl.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of what each event does to a run in each state, and the fold over whole logs. */
class RunTest {
  private static final RunId ID = Samples.ID;
  private static final Instant T = Samples.T;
  private static final Event.Created CREATED =
      new Event.Created(
          "t.v1",
          Json.NULL,
          100,
          T,
          Optional.empty(),
          3,
          Optional.empty(),
          ID,
          Bond.DETACHED,
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          0,
          Optional.empty());
  private static final Event.Leased LEASED = leased(1, 1, false);
  private static final Event.Suspended SUSPENDED =
      new Event.Suspended(Optional.empty(), List.of(new Wait.Signal(0, "go")), 2, true, Json.NULL);
  private static final Event.Retried RETRIED =
      new Event.Retried(Failure.of("OOPS", "m"), T.plusSeconds(9), true);
  private static final Event.Released RELEASED = new Event.Released("r", T.plusSeconds(9));
  private static final Event.Succeeded SUCCEEDED = new Event.Succeeded(Json.TRUE);
  private static final Event.Failed FAILED = new Event.Failed(Failure.of("BROKEN", "m"));
  private static final Event.Cancelled CANCELLED = new Event.Cancelled("enough");
  private static final Event.CancelRequested ASKED = new Event.CancelRequested(0, "enough");
  private static final Event.Pinned PINNED = new Event.Pinned("hash");
  private static final Event.Rewound REWOUND = new Event.Rewound("rewind", 0, T, "back");

  private static final Map<Status, Run> IN = new EnumMap<>(Status.class);

  static {
    IN.put(Status.PENDING, fold(CREATED));
    IN.put(Status.RUNNING, fold(CREATED, LEASED));
    IN.put(Status.SUSPENDED, fold(CREATED, LEASED, SUSPENDED));
    IN.put(Status.SUCCEEDED, fold(CREATED, LEASED, SUCCEEDED));
    IN.put(Status.FAILED, fold(CREATED, LEASED, FAILED));
    IN.put(Status.CANCELLED, fold(CREATED, CANCELLED));
  }

  private static final String IMPOSSIBLE = "-";

  /** Every state and every lifecycle event: where it leads, or that it cannot be. */
  static Stream<Arguments> table() {
    List<Arguments> rows = new ArrayList<>();
    row(rows, CREATED, "-", "-", "-", "-", "-", "-");
    row(rows, LEASED, "running", "running", "running", "-", "-", "-");
    row(rows, SUSPENDED, "-", "suspended", "-", "-", "-", "-");
    row(rows, RETRIED, "-", "pending", "-", "-", "-", "-");
    row(rows, RELEASED, "-", "pending", "-", "-", "-", "-");
    row(rows, SUCCEEDED, "-", "succeeded", "-", "-", "-", "-");
    row(rows, FAILED, "-", "failed", "-", "-", "-", "-");
    row(rows, CANCELLED, "cancelled", "cancelled", "cancelled", "-", "-", "-");
    row(rows, ASKED, "-", "running", "-", "-", "-", "-");
    row(rows, PINNED, "-", "running", "-", "-", "-", "-");
    row(rows, REWOUND, "pending", "pending", "pending", "pending", "pending", "pending");
    return rows.stream();
  }

  /** One row, its columns in the order of {@link Status}. */
  private static void row(List<Arguments> rows, Event event, String... results) {
    Iterator<String> columns = List.of(results).iterator();
    for (Status from : Status.values()) {
      rows.add(Arguments.of(from, event, columns.next()));
    }
  }

  @ParameterizedTest(name = "{0} + {1}")
  @MethodSource("table")
  void everyEventInEveryState(Status from, Event event, String expected) {
    Run run = IN.get(from);
    Entry entry = new Entry(9, T.plusSeconds(5), run.epoch(), event);

    if (expected.equals(IMPOSSIBLE)) {
      assertThatExceptionOfType(PawlException.class)
          .isThrownBy(() -> run.apply(entry))
          .withMessageContaining(from.word())
          .withMessageContaining(EventCodec.kind(event));
    } else {
      assertThat(run.apply(entry).status().word()).isEqualTo(expected);
      assertThat(run.apply(entry).updatedAt()).isEqualTo(T.plusSeconds(5));
    }
  }

  @Test
  void theTableNamesEveryLifecycleEvent() {
    Stream<String> named = table().map(row -> EventCodec.kind((Event) row.get()[1])).distinct();
    Stream<String> all =
        Samples.full().stream().filter(Event.Lifecycle.class::isInstance).map(EventCodec::kind);

    assertThat(named).containsExactlyInAnyOrderElementsOf(all.toList());
  }

  @Test
  void checkpointsLeaveTheRunAsItIs() {
    Run run = IN.get(Status.RUNNING);
    for (Event event : Samples.full()) {
      if (!(event instanceof Event.Lifecycle)) {
        assertThat(run.apply(new Entry(9, T.plusSeconds(5), 1, event))).isSameAs(run);
      }
    }
  }

  @Test
  void aLogMustBeginWithItsCreation() {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Run.fold(ID, List.of()))
        .withMessageContaining("empty");
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> fold(LEASED))
        .withMessageContaining("creation");
  }

  @Test
  void aLeaseIsTakenOver() {
    Run run = fold(CREATED, LEASED, leased(2, 1, true));

    assertThat(run.epoch()).isEqualTo(2);
    assertThat(run.resumed()).isTrue();
    assertThat(run.lease().map(Run.Lease::worker)).contains("w2");
    assertThat(run.due()).isEqualTo(run.lease().map(Run.Lease::until));
  }

  @Test
  void aSuspendedRunWaits() {
    Run run = IN.get(Status.SUSPENDED);

    assertThat(run.due()).isEmpty();
    assertThat(run.lease()).isEmpty();
    assertThat(run.wakeAfter()).isEqualTo(2);
    assertThat(run.cleanup()).isTrue();
    assertThat(run.epoch()).isEqualTo(1);
  }

  @Test
  void aReleaseGivesTheAttemptBackUnlessTheTurnWasResumed() {
    assertThat(fold(CREATED, LEASED, RELEASED).attempt()).isZero();
    Run resumed = fold(CREATED, LEASED, SUSPENDED, leased(2, 1, true), RELEASED);
    assertThat(resumed.attempt()).isEqualTo(1);
    assertThat(resumed.status()).isEqualTo(Status.SUSPENDED);
    assertThat(resumed.due()).contains(T.plusSeconds(9));
    assertThat(resumed.wakeAfter()).isZero();
  }

  @Test
  void aRetryKeepsTheErrorAndTheAttempt() {
    Run run = fold(CREATED, LEASED, RETRIED);

    assertThat(run.attempt()).isEqualTo(1);
    assertThat(run.lastError()).contains(RETRIED.failure());
    assertThat(run.due()).contains(T.plusSeconds(9));
    assertThat(run.cleanup()).isTrue();
    assertThat(run.begun()).isTrue();
  }

  @Test
  void anEndHoldsNothingAndRaisesTheEpoch() {
    for (Event end : List.of(SUCCEEDED, FAILED, CANCELLED)) {
      Run run = fold(CREATED, LEASED, end);
      assertThat(run.due()).isEmpty();
      assertThat(run.lease()).isEmpty();
      assertThat(run.wakeAfter()).isZero();
      assertThat(run.epoch()).isEqualTo(2);
      assertThat(run.finishedAt()).contains(T);
    }
    assertThat(fold(CREATED, LEASED, SUCCEEDED).result()).contains(Json.TRUE);
    assertThat(fold(CREATED, LEASED, FAILED).lastError()).contains(FAILED.failure());
  }

  @Test
  void aRewindStartsAfreshAndRaisesTheEpoch() {
    Run run = fold(CREATED, LEASED, ASKED, SUCCEEDED, REWOUND);

    assertThat(run.attempt()).isZero();
    assertThat(run.epoch()).isEqualTo(3);
    assertThat(run.result()).isEmpty();
    assertThat(run.finishedAt()).isEmpty();
    assertThat(run.cancelling()).isEmpty();
    assertThat(run.due()).contains(T);
    assertThat(run.begun()).isTrue();
  }

  @Test
  void applyAllIsTheFold() {
    List<Entry> log = log(CREATED, LEASED, SUSPENDED, leased(2, 1, true), SUCCEEDED);

    Run stepwise = Run.created(ID, log.getFirst()).applyAll(log.subList(1, log.size()));

    assertThat(stepwise).isEqualTo(Run.fold(ID, log));
  }

  private static Event.Leased leased(long epoch, int attempt, boolean resumed) {
    return new Event.Leased("w" + epoch, epoch, T.plusSeconds(30), attempt, resumed, 0, 1);
  }

  private static Run fold(Event... events) {
    return Run.fold(ID, log(events));
  }

  private static List<Entry> log(Event... events) {
    List<Entry> log = new ArrayList<>();
    for (Event event : events) {
      log.add(new Entry(log.size() + 1, T, 0, event));
    }
    return log;
  }
}
