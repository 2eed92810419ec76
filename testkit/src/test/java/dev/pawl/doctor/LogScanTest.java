package dev.pawl.doctor;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.time.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is wrong with a log alone is reported by its name. */
class LogScanTest extends Examination {
  @Nested
  class S3SeqIsDense {
    @Test
    void aMissingEntryIsFound() {
      RunId run = finished();
      store.serveLog(run, log -> log.stream().filter(entry -> entry.seq() != 3).toList());
      assertReported(run, "S3");
    }

    @Test
    void aMissingEndIsFoundByTheRow() {
      RunId run = finished();
      store.serveLog(run, log -> log.subList(0, 3));
      assertReported(run, "S5", "S6");
    }
  }

  @Nested
  class S4AStepHasOneResult {
    @Test
    void anOperationWithTwoIsFound() {
      Activation turn = begin();
      write(turn, step(0, "a"), step(0, "b"));
      assertReported(turn.run().id(), "S4");
    }

    @Test
    void aNameWithTwoIsFound() {
      Activation turn = begin();
      write(turn, step(0, "a"), step(1, "a"));
      assertReported(turn.run().id(), "S4");
    }

    @Test
    void whatARewindTakesBackDoesNotCount() {
      Activation turn = begin();
      write(turn, step(0, "a"), step(1, "b"), succeeded());
      commit(new Command.Rewind(turn.run().id(), Ids.next(), "rewind", 3, ""));
      write(claim(turn.run().id()), step(1, "b"), succeeded());
      assertHealthy();
    }
  }

  @Nested
  class S5TheEndIsLast {
    @Test
    void nothingFollowsATerminalEvent() {
      RunId run = finished();
      replace(run, 3, succeeded());
      assertThat(violations()).extracting(Violation::invariant).contains("S5");
    }

    @Test
    void aCheckpointBehindTheEndIsFound() {
      RunId run = finished();
      store.serveLog(
          run,
          log -> {
            List<Entry> more = new ArrayList<>(log);
            more.add(new Entry(5, now, 2, new Event.Logged(1, "late")));
            return more;
          });
      assertReported(run, "S5", "P1");
    }

    @Test
    void aRewindReopens() {
      RunId run = finished();
      commit(new Command.Rewind(run, Ids.next(), "rewind", 1, ""));
      assertHealthy();
      write(claim(run), step(0, "a"), succeeded());
      assertHealthy();
    }
  }

  @Test
  void t1AMoveThatIsNotListedIsFound() {
    RunId run = suspended();
    replace(run, 2, new Event.Released("never held", now));
    assertThat(violations()).extracting(Violation::invariant).contains("T1");
  }

  @Test
  void t1ALogBeginsWithTheCreation() {
    RunId run = finished();
    replace(run, 1, new Event.Heartbeat(Json.NULL));
    assertThat(violations()).extracting(Violation::invariant).contains("T1");
  }

  @Nested
  class T2EpochsGrow {
    @Test
    void aClaimThatDoesNotRaiseTheEpochIsFound() {
      RunId run = suspended();
      send(run, "go");
      claim(run);
      change(
          run,
          5,
          entry -> {
            Event.Leased two = (Event.Leased) entry.event();
            Event.Leased same =
                new Event.Leased(two.worker(), 1, two.until(), two.attempt(), true, 0, 9);
            return new Entry(entry.seq(), entry.at(), 1, same);
          });
      assertReported(run, "T2", "S6");
    }

    @Test
    void anEpochThatShrinksIsFound() {
      RunId run = finished();
      change(run, 3, entry -> new Entry(entry.seq(), entry.at(), 0, entry.event()));
      assertReported(run, "T2", "P1");
    }
  }

  @Test
  void p1AWriteUnderAnotherEpochIsFound() {
    RunId run = finished();
    change(run, 3, entry -> new Entry(entry.seq(), entry.at(), 7, entry.event()));
    assertThat(violations()).extracting(Violation::invariant).contains("P1");
  }

  @Test
  void p1AWriteWhileNobodyHoldsTheRunIsFound() {
    RunId run = suspended();
    store.serveLog(
        run,
        log -> {
          List<Entry> more = new ArrayList<>(log);
          more.add(new Entry(5, now, 1, step(1, "b")));
          return more;
        });
    assertReported(run, "P1");
  }

  @Nested
  class P2NoClaimWhileALeaseLives {
    private final RunId run = begin().run().id();

    @Test
    void aClaimOfAnExpiredLeaseIsFine() {
      now = now.plus(LEASE);
      claim(run);
      assertHealthy();
    }

    @Test
    void aClaimOfALivingOneIsFound() {
      now = now.plus(LEASE);
      claim(run);
      Instant early = now.minus(LEASE).minus(ofMillis(20));
      change(run, 3, entry -> new Entry(entry.seq(), early, entry.epoch(), entry.event()));
      assertThat(violations()).extracting(Violation::invariant).contains("P2");
    }
  }

  @Nested
  class T3CursorsNeverGoBack {
    private final Activation turn = begin();

    private Event received(int op, long position) {
      return new Event.EventReceived(op, "news", position, Json.NULL);
    }

    @Test
    void anEventThatWasReceivedBeforeIsFound() {
      write(turn, received(0, 7), received(1, 7));
      assertReported(turn.run().id(), "T3");
    }

    @Test
    void whatARewindTakesBackMayComeAgain() {
      write(turn, received(0, 7), received(1, 8), succeeded());
      commit(new Command.Rewind(turn.run().id(), Ids.next(), "rewind", 3, ""));
      write(claim(turn.run().id()), received(1, 8), succeeded());
      assertHealthy();
    }

    private void startOver(Event... first) {
      write(turn, first);
      Event.Retried again = new Event.Retried(Failure.of("ONCE", "once"), turn.now(), false);
      write(turn, again);
      write(claim(turn.run().id()), received(0, 7), succeeded());
    }

    @Test
    void aScriptThatStartsOverReceivesItsEventsAgain() {
      startOver(new Event.Pinned("hash"), received(0, 7));
      assertHealthy();
    }

    @Test
    void aFlowThatIsRetriedDoesNot() {
      startOver(step(1, "a"), received(0, 7));
      assertReported(turn.run().id(), "T3");
    }
  }

  @Nested
  class P3AttemptsAreCounted {
    private final RunId run = begin().run().id();

    private void attempt(int number) {
      change(
          run,
          2,
          entry -> {
            Event.Leased right = (Event.Leased) entry.event();
            return new Entry(
                entry.seq(),
                entry.at(),
                entry.epoch(),
                new Event.Leased(right.worker(), 1, right.until(), number, false, 0, 1));
          });
    }

    @Test
    void anAttemptThatIsNotCountedIsFound() {
      attempt(0);
      assertReported(run, "P3", "S6");
    }

    @Test
    void anAttemptThatIsCountedTwiceIsFound() {
      attempt(2);
      assertReported(run, "P3", "S6");
    }
  }

  @Test
  void p2AWatchKnowsThatALeaseWasRenewed() {
    Activation turn = begin();
    RunId run = turn.run().id();
    Watch watch = new Watch(store);
    assertThat(watch.look(store.run(run).orElseThrow())).isEmpty();
    commit(
        new Command.Extend("worker-1", List.of(new Command.Held(run, 1)), LEASE.multipliedBy(9)));
    assertThat(watch.look(store.run(run).orElseThrow())).isEmpty();
    Instant early = now.plus(LEASE.multipliedBy(2));
    now = now.plus(LEASE.multipliedBy(10));
    claim(run);
    change(run, 3, entry -> new Entry(entry.seq(), early, entry.epoch(), entry.event()));
    assertThat(watch.look(store.run(run).orElseThrow()))
        .extracting(Violation::invariant)
        .contains("P2");
  }
}
