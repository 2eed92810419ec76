package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.Turn.child;
import static dev.pawl.testkit.Turn.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Query;
import dev.pawl.testkit.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Children, their outcomes, and waiting for many of them. */
abstract class ChildrenContract extends Area {
  private static final String CHILD = "test.child.v1";

  @Test
  void aChildsResultIsInItsParentsMailboxWhenItEnds() {
    Turn parent = store.begin();
    NewRun wanted = newChild(parent.id(), Bond.AWAITED);
    parent.draft(waiting(child(wanted.id()))).starting(wanted).must();

    claimChild().succeed(Json.string("done"));

    assertThat(outcomes(parent.id()))
        .containsExactly(new Event.ChildResult.Succeeded(Json.string("done")));
    assertThat(((Mail.ChildOutcome) store.mail(parent.id()).getFirst()).child())
        .isEqualTo(wanted.id());
    assertThat(store.mail(parent.id()).getFirst().at()).isEqualTo(store.now());
    assertThat(store.run(parent.id()).wakes()).isEqualTo(1);
    assertThat(store.claimOne().mail()).isEqualTo(store.mail(parent.id()));
  }

  @Test
  void aFailureReachesTheParentWhole() {
    Turn parent = parentOf(1, Bond.AWAITED);
    Failure failure = Failure.of("BROKEN", "it broke").atAttempt(2).withRetryable(true);

    claimChild().must(new Event.Failed(failure));

    assertThat(outcomes(parent.id())).containsExactly(new Event.ChildResult.Failed(failure));
  }

  @Test
  void aCancelledChildIsAnOutcomeToo() {
    Turn parent = parentOf(1, Bond.AWAITED);

    store.cancel(childrenOf(parent.id()).getFirst());

    assertThat(outcomes(parent.id())).containsExactly(new Event.ChildResult.Cancelled("enough"));
    assertThat(store.claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void aChildLostWithItsWorkerIsAnOutcomeToo() {
    Turn parent = store.begin();
    NewRun wanted = newChild(parent.id(), Bond.AWAITED).withMaxAttempts(1);
    parent.draft(waiting(child(wanted.id()))).starting(wanted).must();
    claimChild();
    store.clock().advanceMillis(30_000);

    assertThat(store.claim(10, CHILD)).isEmpty();

    assertThat(outcomes(parent.id()))
        .singleElement()
        .isInstanceOfSatisfying(
            Event.ChildResult.Failed.class,
            failed -> assertThat(failed.failure().code()).isEqualTo("WORKER_LOST"));
    assertThat(store.claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void outcomesComeInTheOrderInWhichTheChildrenEnd() {
    Turn parent = parentOf(3, Bond.AWAITED);
    List<Turn> children = store.claim(3, CHILD);

    children.get(2).succeed();
    children.get(0).succeed();
    children.get(1).succeed();

    assertThat(store.mail(parent.id()))
        .extracting(mail -> ((Mail.ChildOutcome) mail).child())
        .containsExactly(children.get(2).id(), children.get(0).id(), children.get(1).id());
    assertThat(store.mail(parent.id())).extracting(Mail::id).isSorted();
  }

  @Test
  void waitingForAllWakesOnceWhenTheLastIsDone() {
    Turn parent = parentOf(3, Bond.AWAITED);
    List<Turn> children = store.claim(3, CHILD);

    children.get(0).succeed();
    children.get(1).succeed();
    store.assertNothingToClaim();
    children.get(2).succeed();

    assertThat(store.claimOne().mail()).hasSize(3);
    assertThat(parent.id()).isNotNull();
  }

  @Test
  void aFailedChildWakesItsParentAtOnce() {
    Turn parent = parentOf(3, Bond.AWAITED);

    store.claim(1, CHILD).getFirst().fail("BROKEN");

    assertThat(store.claim(10, parent.run().type())).hasSize(1);
  }

  @Test
  void aCancelledChildWakesItsParentAtOnce() {
    Turn parent = parentOf(3, Bond.AWAITED);

    store.cancel(childrenOf(parent.id()).get(1));

    assertThat(store.claim(10, parent.run().type())).hasSize(1);
  }

  @Test
  void childrenThatEndTogetherInOneBatchWakeTheirParentOnce() {
    Turn parent = parentOf(3, Bond.AWAITED);
    List<Command> ends = new ArrayList<>();
    for (Turn turn : store.claim(3, CHILD)) {
      ends.add(turn.draft(new Event.Succeeded(Json.NULL)).planned());
    }

    store.commit(ends);

    assertThat(store.claimOne().id()).isEqualTo(parent.id());
    assertThat(store.mail(parent.id())).hasSize(3);
  }

  @Test
  void aChildThatEndsWhileItsParentIsStillBusyIsNotMissed() {
    Turn parent = store.begin();
    NewRun wanted = newChild(parent.id(), Bond.AWAITED);
    parent
        .draft(new Event.ChildStarted(0, wanted.id(), CHILD, Bond.AWAITED))
        .starting(wanted)
        .must();
    claimChild().succeed();

    parent.suspendFor(child(wanted.id()));

    assertThat(store.claimOne().mail()).hasSize(1);
  }

  @Test
  void aThousandChildrenWakeTheirParentAtMostAHandfulOfTimes() {
    Turn parent = store.begin();
    List<NewRun> wanted =
        Stream.generate(() -> newChild(parent.id(), Bond.AWAITED)).limit(1000).toList();
    List<Wait> waits = wanted.stream().map(run -> child(run.id())).toList();
    parent.draft(waiting(waits.size(), waits)).starting(wanted).must();

    int wakes = 0;
    Set<RunId> finished = new HashSet<>();
    for (int round = 0; round < 30 && finished.size() < 1000; round++) {
      List<Command> ends = new ArrayList<>();
      store.claim(70, CHILD).forEach(turn -> ends.add(success(turn)));
      store.commit(ends);
      for (Turn turn : store.claim(1, parent.run().type())) {
        wakes++;
        turn.mail().forEach(mail -> finished.add(((Mail.ChildOutcome) mail).child()));
        List<Wait> left = waits.subList(0, 1000 - finished.size());
        Event next = left.isEmpty() ? new Event.Succeeded(Json.NULL) : waiting(left.size(), left);
        turn.draft(next).consuming(turn.mail()).must();
      }
    }

    assertThat(finished).hasSize(1000);
    assertThat(wakes).isBetween(1, 5);
  }

  @Test
  void aDetachedChildReportsToNobody() {
    Turn parent = parentOf(1, Bond.DETACHED);

    claimChild().fail("BROKEN");

    assertThat(store.mail(parent.id())).isEmpty();
    assertThat(store.run(parent.id()).wakes()).isZero();
    store.assertNothingToClaim();
  }

  @Test
  void anAbandonedChildStillReports() {
    Turn parent = parentOf(1, Bond.ABANDONED);

    claimChild().succeed();

    assertThat(store.mail(parent.id())).hasSize(1);
    assertThat(store.claimOne().id()).isEqualTo(parent.id());
  }

  @Test
  void aChildMayEndAfterItsParent() {
    Turn parent = store.begin();
    NewRun wanted = newChild(parent.id(), Bond.AWAITED);
    parent.draft(new Event.Succeeded(Json.NULL)).starting(wanted).must();

    claimChild().succeed(Json.TRUE);

    assertThat(store.run(wanted.id()).status()).isEqualTo(Status.SUCCEEDED);
    assertThat(store.mail(parent.id())).isEmpty();
    assertThat(store.run(parent.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aChildMayEndAfterItsParentWasPurged() {
    Turn parent = store.begin();
    NewRun wanted = newChild(parent.id(), Bond.AWAITED);
    parent.draft(new Event.Succeeded(Json.NULL)).starting(wanted).must();
    store.delete(parent.id());
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, Duration.ZERO, 10);

    claimChild().succeed(Json.TRUE);

    assertThat(store.run(wanted.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aRetriedChildDoesNotReportUntilItEnds() {
    Turn parent = parentOf(1, Bond.AWAITED);

    claimChild().retryIn(Duration.ZERO);
    assertThat(store.mail(parent.id())).isEmpty();
    claimChild().succeed();

    assertThat(store.mail(parent.id())).hasSize(1);
  }

  @Test
  void grandchildrenReportToTheirParentAndNotToTheRoot() {
    Turn root = parentOf(1, Bond.AWAITED);
    Turn middle = claimChild();
    NewRun leaf =
        NewRun.of(newChild(root.id(), Bond.AWAITED).id(), "leaf.v1", Json.NULL)
            .withParent(middle.id(), root.id(), Bond.AWAITED);
    middle.draft(waiting(child(leaf.id()))).starting(leaf).must();

    store.claim(1, "leaf.v1").getFirst().succeed();

    assertThat(store.mail(root.id())).isEmpty();
    assertThat(store.mail(middle.id())).hasSize(1);
    assertThat(store.run(leaf.id()).root()).isEqualTo(root.id());
  }

  @Test
  void aConsumedOutcomeIsNotDeliveredAgain() {
    Turn parent = parentOf(2, Bond.AWAITED);
    List<Turn> children = store.claim(2, CHILD);
    children.get(0).fail("BROKEN");
    Turn woken = store.claim(1, parent.run().type()).getFirst();
    woken.draft(waiting(child(children.get(1).id()))).consuming(woken.mail()).must();
    store.assertNothingToClaim();

    children.get(1).succeed();

    assertThat(store.claimOne().mail())
        .singleElement()
        .isInstanceOfSatisfying(
            Mail.ChildOutcome.class,
            outcome -> assertThat(outcome.child()).isEqualTo(children.get(1).id()));
  }

  private static Command success(Turn turn) {
    return turn.draft(new Event.Succeeded(Json.NULL)).planned();
  }

  /** A parent that has started so many children and waits for all of them. */
  private Turn parentOf(int count, Bond bond) {
    Turn parent = store.begin();
    List<NewRun> children =
        IntStream.range(0, count).mapToObj(i -> newChild(parent.id(), bond)).toList();
    List<Wait> waits = children.stream().map(run -> child(run.id())).toList();
    return parent.draft(waiting(count, waits)).starting(children).must();
  }

  private Turn claimChild() {
    List<Turn> turns = store.claim(1, CHILD);
    assertThat(turns).as("a child to claim").hasSize(1);
    return turns.getFirst();
  }

  private List<RunId> childrenOf(RunId parent) {
    return store.store().list(Query.all().withParent(parent)).stream()
        .map(run -> run.id())
        .toList();
  }

  private List<Event.ChildResult> outcomes(RunId parent) {
    return store.mail(parent).stream().map(mail -> ((Mail.ChildOutcome) mail).result()).toList();
  }
}
