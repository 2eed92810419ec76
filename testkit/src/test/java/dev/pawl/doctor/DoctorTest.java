package dev.pawl.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The walk over a store. */
class DoctorTest extends Examination {
  @Test
  void aHundredThousandEventsAreReadInPages() {
    Activation turn = begin();
    Event[] steps =
        IntStream.range(0, 100_000).mapToObj(op -> step(op, "step-" + op)).toArray(Event[]::new);
    write(turn, steps);
    assertThat(Doctor.check(store, each -> {})).isEqualTo(new Report(1, 100_002, 0));
  }

  @Test
  void allPagesOfRunsAreVisitedAndProgressIsTold() {
    for (int i = 0; i < 250; i++) {
      start(newRun());
    }
    List<Long> progress = new ArrayList<>();
    Report report = Doctor.check(store, each -> {}, progress::add);
    assertThat(report).isEqualTo(new Report(250, 250, 0));
    assertThat(report.isHealthy()).isTrue();
    assertThat(progress).containsExactly(100L, 200L, 250L);
  }

  @Test
  void whatOnlyLookedWrongWhileItChangedIsNotReported() {
    RunId run = start(newRun());
    Run before = store.run(run).orElseThrow();
    claim(run);
    AtomicBoolean listed = new AtomicBoolean();
    store.serveRow(run, row -> listed.getAndSet(true) ? row : before);
    assertHealthy();
  }

  @Test
  void aRunThatNeverStandsStillIsJudgedByItsLogAlone() {
    Activation turn = begin();
    AtomicLong messages = new AtomicLong();
    store.serveRow(turn.run().id(), row -> row.change().wakes(messages.incrementAndGet()).run());
    assertHealthy();
    write(turn, step(0, "a"), step(0, "a"));
    assertReported(turn.run().id(), "S4");
  }

  @Test
  void aRunWhoseLogCannotBeReadIsReportedAndTheOthersAreStillChecked() {
    RunId unreadable = finished();
    RunId unsound = finished();
    store.serveLog(
        unreadable,
        log -> {
          throw PawlException.internal("a log entry lacks 'op': {}");
        });
    store.serveRow(unsound, row -> row.change().due(Optional.of(now)).run());
    assertThat(violations())
        .extracting(Violation::run, Violation::invariant)
        .containsExactly(tuple(unsound, "S2"), tuple(unreadable, "S6"));
  }
}
