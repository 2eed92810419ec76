package dev.pawl.doctor;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each invariant has a violation here, made by hand, that the doctor must report by its name. */
class DoctorTest {
  private static final Duration LEASE = ofSeconds(30);
  private static final String TYPE = "test.run.v1";

  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final TamperedStore store = new TamperedStore(new MemoryStore(() -> now));
  private long tickets;

  // ---- what the tests do to the store ----

  private Outcome commit(Command command) {
    now = now.plusMillis(10);
    return store.commit(List.of(command)).getFirst();
  }

  private static NewRun newRun() {
    return NewRun.of(new RunId(Ids.next()), TYPE, Json.EMPTY_OBJECT);
  }

  private RunId start(NewRun run) {
    assertThat(commit(new Command.Start(run))).isInstanceOf(Outcome.Started.class);
    return run.id();
  }

  private Activation claim(RunId run) {
    var claimant = new Command.Claimant("worker-1", LEASE, ++tickets);
    var claimed = (Outcome.Claimed) commit(new Command.Claim(claimant, Routes.of(TYPE), 100));
    return claimed.activations().stream()
        .filter(activation -> activation.run().id().equals(run))
        .findFirst()
        .orElseThrow();
  }

  private Activation begin() {
    return claim(start(newRun()));
  }

  private void write(Activation turn, Event... events) {
    write(turn, List.of(), List.of(), events);
  }

  private void write(Activation turn, List<Mail> consumed, List<NewRun> children, Event... events) {
    RunId id = turn.run().id();
    long seq = store.log(id, 0, Integer.MAX_VALUE).getLast().seq() + 1;
    Outcome outcome =
        commit(
            new Command.Advance(
                id,
                turn.run().epoch(),
                seq,
                turn.run().wakes(),
                List.of(events),
                consumed.stream().map(Mail::id).toList(),
                children,
                List.of(),
                List.of()));
    assertThat(outcome).isInstanceOf(Outcome.Advanced.class);
  }

  private void send(RunId run, String name) {
    assertThat(commit(new Command.Send(run, Ids.next(), name, Json.NULL)))
        .isInstanceOf(Outcome.Sent.class);
  }

  private static Event step(int op, String name) {
    return new Event.StepCompleted(op, name, 0, 1, Json.NULL, 0);
  }

  private static Event succeeded() {
    return new Event.Succeeded(Json.TRUE);
  }

  private static Event waitingFor(Wait... waits) {
    return new Event.Suspended(Optional.empty(), List.of(waits), waits.length, true, Json.NULL);
  }

  private static Wait signal(String name) {
    return new Wait.Signal(1, name);
  }

  private RunId finished() {
    Activation turn = begin();
    write(turn, step(0, "a"));
    write(turn, succeeded());
    return turn.run().id();
  }

  private RunId suspended() {
    Activation turn = begin();
    write(turn, step(0, "a"), waitingFor(signal("go")));
    return turn.run().id();
  }

  private void change(RunId run, long seq, UnaryOperator<Entry> change) {
    store.serveLog(
        run,
        log ->
            log.stream().map(entry -> entry.seq() == seq ? change.apply(entry) : entry).toList());
  }

  private void replace(RunId run, long seq, Event event) {
    change(run, seq, entry -> new Entry(entry.seq(), entry.at(), entry.epoch(), event));
  }

  private List<Violation> violations() {
    List<Violation> found = new ArrayList<>();
    Report report = Doctor.check(store, found::add);
    assertThat(report.violations()).isEqualTo(found.size());
    assertThat(found)
        .allSatisfy(each -> assertThat(each.message()).contains(each.run().toString()));
    return found;
  }

  private void assertReported(RunId run, String... invariants) {
    assertThat(violations())
        .as("violations")
        .allSatisfy(each -> assertThat(each.run()).isEqualTo(run))
        .extracting(Violation::invariant)
        .containsOnly(invariants);
  }

  private void assertHealthy() {
    assertThat(violations()).isEmpty();
  }

  // ---- the invariants ----

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
      commit(new Command.Rewind(turn.run().id(), "rewind", 3, ""));
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
      commit(new Command.Rewind(run, "rewind", 1, ""));
      assertHealthy();
      write(claim(run), step(0, "a"), succeeded());
      assertHealthy();
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
  class S8ParentAndChildAgree {
    private final Activation parent = begin();
    private final NewRun child =
        newRun().withParent(parent.run().id(), parent.run().id(), Bond.AWAITED);
    private final Event.ChildStarted started =
        new Event.ChildStarted(0, child.id(), TYPE, Bond.AWAITED);

    private RunId id() {
      return parent.run().id();
    }

    private void startChild() {
      write(parent, List.of(), List.of(child), started, waitingFor(new Wait.Child(0, child.id())));
    }

    private void finishBoth() {
      startChild();
      write(claim(child.id()), succeeded());
      assertHealthy();
      Activation turn = claim(id());
      Event.ChildResult result = new Event.ChildResult.Succeeded(Json.TRUE);
      write(
          turn,
          turn.mail(),
          List.of(),
          new Event.ChildFinished(0, child.id(), result),
          succeeded());
    }

    @Test
    void aHealthyFamily() {
      finishBoth();
      assertHealthy();
    }

    @Test
    void aChildThatItsParentDoesNotKnowIsFound() {
      write(parent, List.of(), List.of(child), step(0, "a"));
      assertReported(child.id(), "S8");
    }

    @Test
    void aChildThatItsParentKnowsAsSomethingElseIsFound() {
      startChild();
      replace(id(), 3, new Event.ChildStarted(0, child.id(), TYPE, Bond.DETACHED));
      assertReported(child.id(), "S8");
    }

    @Test
    void anOutcomeThatIsNotTheChildsIsFound() {
      finishBoth();
      Event.ChildResult wrong = new Event.ChildResult.Succeeded(Json.string("never"));
      replace(id(), 6, new Event.ChildFinished(0, child.id(), wrong));
      assertReported(child.id(), "S8");
    }

    @Test
    void anOutcomeFromBeforeTheChildWasReopenedStands() {
      finishBoth();
      commit(new Command.Rewind(child.id(), "rewind", 1, ""));
      write(claim(child.id()), new Event.Failed(Failure.of("NO", "not this time")));
      assertHealthy();
    }

    @Test
    void anOutcomeOfAStrangerIsFound() {
      RunId stranger = finished();
      Event.ChildResult result = new Event.ChildResult.Succeeded(Json.TRUE);
      write(parent, new Event.ChildFinished(0, stranger, result), succeeded());
      assertReported(id(), "S8");
    }

    @Test
    void anOutcomeThatNeverArrivedIsFound() {
      startChild();
      write(claim(child.id()), succeeded());
      store.serveMail(id());
      store.serveRow(id(), row -> row.change().wakes(0).run());
      assertReported(id(), "S8");
    }

    @Test
    void aChildThatIsNotThereIsFound() {
      RunId nobody = new RunId(Ids.next());
      write(
          parent,
          new Event.ChildStarted(0, nobody, TYPE, Bond.AWAITED),
          waitingFor(new Wait.Child(0, nobody)));
      assertReported(id(), "S8");
    }

    @Test
    void aForkKeepsTheOutcomesOfChildrenThatAreNotItsOwn() {
      finishBoth();
      List<Event> history =
          List.of(
              started,
              new Event.ChildFinished(0, child.id(), new Event.ChildResult.Succeeded(Json.TRUE)));
      NewRun fork = newRun().withOrigin(new NewRun.Origin(id(), 0, history));
      start(fork);
      assertHealthy();
      write(claim(fork.id()), step(1, "a"), waitingFor(signal("go")));
      send(fork.id(), "other");
      assertHealthy();
    }
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

  // ---- the walk ----

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
}
