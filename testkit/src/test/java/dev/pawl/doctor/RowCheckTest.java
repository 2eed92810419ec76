package dev.pawl.doctor;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.time.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is wrong between a row, its log and its mailbox is reported by its name. */
class RowCheckTest extends Examination {
  @Nested
  class S1ALiveRunHoldsOneThing {
    @Test
    void aPendingRunWithoutADueTimeIsStuck() {
      RunId run = start(newRun());
      assertHealthy();
      store.serveRow(run, row -> row.change().due(Optional.empty()).run());
      assertThat(violations()).extracting(Violation::invariant).contains("S1");
    }

    @Test
    void aRunningOneWithoutALeaseIsStuck() {
      RunId run = begin().run().id();
      assertHealthy();
      store.serveRow(run, row -> row.change().lease(Optional.empty()).run());
      assertReported(run, "S1", "S6");
    }

    @Test
    void aRunningOneIsDueWhenItsLeaseEnds() {
      RunId run = begin().run().id();
      store.serveRow(
          run, row -> row.change().due(Optional.of(now.plus(LEASE.multipliedBy(9)))).run());
      assertReported(run, "S1");
    }

    @Test
    void aSuspendedOneHasNoLease() {
      RunId run = suspended();
      assertHealthy();
      store.serveRow(
          run, row -> row.change().lease(Optional.of(new Run.Lease("zombie", now))).run());
      assertReported(run, "S1", "S6");
    }

    @Test
    void aSuspendedOneThatNothingCanWakeIsStuck() {
      Activation turn = begin();
      write(turn, new Event.Suspended(Optional.empty(), List.of(), 1, true, Json.NULL));
      assertReported(turn.run().id(), "S1");
    }

    @Test
    void aSuspendedOneMayWaitForAnOperator() {
      Activation turn = begin();
      List<Wait> waits = List.of(new Wait.Operator(0, "DIVERGED: the code has changed"));
      write(turn, new Event.Suspended(Optional.empty(), waits, 0, true, Json.NULL));
      assertHealthy();
    }
  }

  @Nested
  class S2AFinishedRunHoldsNothing {
    @Test
    void noDueTime() {
      RunId run = finished();
      assertHealthy();
      store.serveRow(run, row -> row.change().due(Optional.of(now)).run());
      assertReported(run, "S2");
    }

    @Test
    void noLease() {
      RunId run = finished();
      store.serveRow(
          run, row -> row.change().lease(Optional.of(new Run.Lease("zombie", now))).run());
      assertReported(run, "S2", "S6");
    }

    @Test
    void noMail() {
      RunId run = finished();
      store.serveMail(run, new Mail.Signal(7, now, Ids.next(), "late", Json.NULL));
      assertReported(run, "S2");
    }
  }

  @Nested
  class S6TheRowIsTheFoldOfTheLog {
    @Test
    void aChangedRowIsFoundAndTheMessageSaysWhat() {
      RunId run = finished();
      replace(run, 4, new Event.Succeeded(Json.FALSE));
      assertThat(violations())
          .singleElement()
          .satisfies(each -> {
            assertThat(each.invariant()).isEqualTo("S6");
            assertThat(each.message()).contains("result", "false", "true");
          });
    }

    @Test
    void aRowWithoutALogIsFound() {
      RunId run = finished();
      store.serveLog(run, log -> List.of());
      assertReported(run, "S6");
    }

    @Test
    void aDueTimeMayComeEarlierButNotLater() {
      RunId run = start(newRun().withDelay(ofSeconds(60)));
      store.serveRow(run, row -> row.change().due(Optional.of(now)).run());
      assertHealthy();
      store.serveRow(run, row -> row.change().due(Optional.of(now.plusSeconds(600))).run());
      assertReported(run, "S6");
    }

    @Test
    void moreMessagesThanTheLogAsksForAreTooMany() {
      RunId run = suspended();
      store.serveRow(run, row -> row.change().wakeAfter(5).run());
      assertReported(run, "S6");
    }

    @Test
    void remainsOfARunThatIsGoneAreFound() {
      RunId ghost = new RunId(Ids.next());
      store.serveMail(ghost, new Mail.Signal(7, now, Ids.next(), "go", Json.NULL));
      List<Violation> found = new ArrayList<>();
      Doctor.check(store, ghost, found::add);
      assertThat(found).extracting(Violation::invariant).containsExactly("S6");
    }
  }

  @Test
  void s7AKeyFindsItsRun() {
    RunId run = start(newRun().withKey("order-1"));
    RunId other = start(newRun());
    assertHealthy();
    store.serveKey("order-1", store.run(other).orElseThrow());
    assertReported(run, "S7");
  }

  @Nested
  class S9AcceptedIsConsumedAndWaiting {
    @Test
    void aLostMessageIsFound() {
      RunId run = suspended();
      send(run, "other");
      assertHealthy();
      store.serveMail(run);
      assertReported(run, "S9");
    }

    @Test
    void aMessageConsumedOffTheRecordIsFound() {
      RunId run = suspended();
      send(run, "go");
      Activation turn = claim(run);
      write(turn, turn.mail(), List.of(), step(1, "b"));
      assertReported(run, "S9");
    }

    @Test
    void aMessageConsumedOnTheRecordIsAccountedFor() {
      RunId run = suspended();
      send(run, "go");
      Activation turn = claim(run);
      UUID message = ((Mail.Signal) turn.mail().getFirst()).message();
      write(
          turn,
          turn.mail(),
          List.of(),
          new Event.SignalReceived(1, "go", message, Json.NULL),
          waitingFor(signal("more")));
      assertHealthy();
    }
  }

  @Nested
  class S10NobodyIsLeftWaiting {
    @Test
    void aLostWakeIsFound() {
      RunId run = suspended();
      send(run, "go");
      assertHealthy();
      store.serveRow(run, row -> row.change().due(Optional.empty()).wakeAfter(1).run());
      assertReported(run, "S10");
    }

    @Test
    void aWakeThatComesTooLateIsFound() {
      RunId run = suspended();
      send(run, "go");
      store.serveRow(run, row -> row.change().due(Optional.of(now.plusSeconds(60))).run());
      assertReported(run, "S10");
    }

    @Test
    void aMessageDuringTheTurnCounts() {
      Activation turn = begin();
      send(turn.run().id(), "go");
      write(turn, step(0, "a"), waitingFor(signal("go")));
      assertHealthy();
      store.serveRow(turn.run().id(), row -> row.change().due(Optional.empty()).run());
      assertReported(turn.run().id(), "S10");
    }

    @Test
    void oneOfTwoMessagesIsNotEnough() {
      Activation turn = begin();
      write(turn, step(0, "a"), waitingFor(signal("go"), signal("set")));
      send(turn.run().id(), "go");
      send(turn.run().id(), "other");
      assertHealthy();
    }

    @Test
    void aRequestToCancelThatWakesNobodyIsFound() {
      RunId run = suspended();
      commit(new Command.Cancel(run, "enough", false));
      assertHealthy();
      store.serveRow(run, row -> row.change().due(Optional.empty()).run());
      assertReported(run, "S10");
    }
  }
}
