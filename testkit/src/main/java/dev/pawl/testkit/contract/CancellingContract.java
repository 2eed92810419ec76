package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.as;
import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.StoreFixture.newRun;
import static dev.pawl.testkit.Turn.child;
import static dev.pawl.testkit.Turn.signal;
import static dev.pawl.testkit.Turn.waiting;
import static dev.pawl.testkit.Turn.withCleanup;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cancelling: at once where it can be, by asking where it must be, and down the tree. */
abstract class CancellingContract extends Area {

  @Test
  void aPendingRunEndsAtOnce() {
    RunId id = store.start();
    store.clock().advanceMillis(2);

    Run run = store.cancel(id);

    assertThat(run).isEqualTo(store.run(id));
    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    assertThat(run.finishedAt()).contains(store.now());
    assertThat(store.lastEvent(id)).isEqualTo(new Event.Cancelled("enough"));
    store.assertNothingToClaim();
  }

  @Test
  void aSuspendedRunWithoutCleanupEndsAtOnce() {
    Turn turn = store.begin();
    turn.suspendFor(signal("go"));

    assertThat(store.cancel(turn.id()).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aSuspendedRunWithCleanupIsAsked() {
    Turn turn = store.begin();
    turn.must(withCleanup(waiting(signal("go"))));

    Run run = store.cancel(turn.id());

    assertThat(run.status()).isEqualTo(Status.SUSPENDED);
    Turn woken = store.claimOne();
    assertThat(woken.run().resumed()).isTrue();
    assertThat(((Mail.Cancel) woken.mail().getFirst()).reason()).isEqualTo("enough");
    woken
        .draft(
            new Event.CancelRequested(0, "enough"),
            Turn.step("undo"),
            new Event.Cancelled("enough"))
        .consuming(woken.mail())
        .must();
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aRetryWithCleanupIsAskedWithoutItsBackoff() {
    Turn turn = store.begin();
    turn.must(
        new Event.Retried(Failure.of("OOPS", "it broke"), store.now().plusSeconds(600), true));

    assertThat(store.cancel(turn.id()).status()).isEqualTo(Status.PENDING);

    assertThat(store.claimOne().mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aRunningRunIsAsked() {
    Turn turn = store.begin();
    store.clock().advanceMillis(4);

    Run run = store.cancel(turn.id());

    assertThat(run.status()).isEqualTo(Status.RUNNING);
    assertThat(run.epoch()).isEqualTo(turn.epoch());
    assertThat(store.mail(turn.id()))
        .singleElement()
        .isInstanceOfSatisfying(
            Mail.Cancel.class,
            cancel -> {
              assertThat(cancel.reason()).isEqualTo("enough");
              assertThat(cancel.at()).isEqualTo(store.now());
            });
    assertThat(store.kinds(turn.id())).containsExactly("created", "leased");
    turn.checkpoint("still mine");
  }

  @Test
  void aRunAskedTwiceHasOneRequest() {
    Turn turn = store.begin();

    store.cancel(turn.id());
    store.cancel(turn.id());

    assertThat(store.mail(turn.id())).hasSize(1);
    assertThat(store.run(turn.id()).wakes()).isEqualTo(1);
  }

  @Test
  void aRunThatIsCleaningUpIsNotAskedAgain() {
    Turn turn = store.begin();
    store.cancel(turn.id());
    turn.draft(new Event.CancelRequested(0, "enough")).consuming(store.mail(turn.id())).must();

    store.cancel(turn.id());

    assertThat(store.mail(turn.id())).isEmpty();
  }

  @Test
  void aRequestIsFoundByTheNextOwnerIfTheWorkerDies() {
    Turn turn = store.begin();
    store.cancel(turn.id());
    store.clock().advance(StoreFixture.LEASE);

    assertThat(store.claimOne("other").mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aCancelThatCameDuringTheTurnDoesNotWaitForTheBackoff() {
    Turn turn = store.begin();
    store.cancel(turn.id());

    turn.retryIn(Duration.ofMinutes(5));

    assertThat(store.claimOne().mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aCancelThatCameDuringTheTurnDoesNotWaitForAReleasedRunsDelay() {
    Turn turn = store.begin();
    store.cancel(turn.id());

    turn.releaseFor(Duration.ofMinutes(5));

    assertThat(store.claimOne().mail()).hasOnlyElementsOfType(Mail.Cancel.class);
  }

  @Test
  void aForcedCancelEndsARunningRunAndFencesItsWorker() {
    Turn turn = store.begin();

    Run run = store.forceCancel(turn.id());

    assertThat(run.status()).isEqualTo(Status.CANCELLED);
    assertThat(run.lease()).isEmpty();
    as(Outcome.Fenced.class, turn.write(Turn.step("late")));
    assertThat(store.lastEvent(turn.id())).isEqualTo(new Event.Cancelled("enough"));
  }

  @Test
  void aForcedCancelEndsASuspendedRunWithCleanup() {
    Turn turn = store.begin();
    turn.must(withCleanup(waiting(signal("go"))));

    assertThat(store.forceCancel(turn.id()).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aForcedCancelEndsARunThatWasAskedBefore() {
    Turn turn = store.begin();
    store.cancel(turn.id());

    assertThat(store.forceCancel(turn.id()).status()).isEqualTo(Status.CANCELLED);
    assertThat(store.mail(turn.id())).isEmpty();
  }

  @Test
  void anEndedRunCannotBeCancelled() {
    Turn turn = store.begin();
    turn.succeed(Json.TRUE);

    Outcome.Refused refused =
        store.expect(Outcome.Refused.class, new Command.Cancel(turn.id(), "late", true));

    assertThat(refused.run()).isEqualTo(store.run(turn.id()));
    assertThat(refused.why()).contains("succeeded");
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aCancelledRunCannotBeCancelledAgain() {
    RunId id = store.start();
    store.cancel(id);

    store.expect(Outcome.Refused.class, new Command.Cancel(id, "again", false));

    assertThat(store.kinds(id)).containsExactly("created", "cancelled");
  }

  @Test
  void aCancelOfNoRunIsMissing() {
    RunId unknown = new RunId(Ids.next());

    assertThat(store.commitOne(new Command.Cancel(unknown, "enough", true)))
        .isEqualTo(new Outcome.Missing(unknown));
  }

  @Test
  void ofCancelAndFinishTheCancelMayWin() {
    Turn turn = store.begin();

    List<Outcome> outcomes =
        store.commit(
            new Command.Cancel(turn.id(), "enough", true),
            turn.draft(new Event.Succeeded(Json.NULL)).command());

    as(Outcome.CancelTaken.class, outcomes.get(0));
    as(Outcome.Fenced.class, outcomes.get(1));
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void ofCancelAndFinishTheFinishMayWin() {
    Turn turn = store.begin();

    List<Outcome> outcomes =
        store.commit(
            turn.draft(new Event.Succeeded(Json.NULL)).command(),
            new Command.Cancel(turn.id(), "enough", true));

    as(Outcome.Advanced.class, outcomes.get(0));
    as(Outcome.Refused.class, outcomes.get(1));
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aRunThatWasAskedMayStillSucceed() {
    Turn turn = store.begin();
    store.cancel(turn.id());

    turn.succeed();

    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  // ---- trees ----

  @Test
  void awaitedChildrenAreCancelledWithTheirParent() {
    Turn parent = store.begin();
    NewRun one = newChild(parent.id(), Bond.AWAITED);
    NewRun two = newChild(parent.id(), Bond.AWAITED);
    parent.draft(waiting(2, child(one.id()), child(two.id()))).starting(one, two).must();
    Turn running = store.claim(1, one.type()).getFirst();

    store.cancel(parent.id());

    assertThat(store.run(parent.id()).status()).isEqualTo(Status.CANCELLED);
    assertThat(store.mail(running.id())).hasOnlyElementsOfType(Mail.Cancel.class);
    RunId other = running.id().equals(one.id()) ? two.id() : one.id();
    assertThat(store.run(other).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void awaitedTreesAreCancelledToTheLeaves() {
    Turn root = store.begin();
    Turn middle = childOf(root, Bond.AWAITED);
    Turn lower = childOf(middle, Bond.AWAITED);
    NewRun leaf = newRun("leaf.v1").withParent(lower.id(), root.id(), Bond.AWAITED);
    lower.draft(waiting(child(leaf.id()))).starting(leaf).must();

    store.cancel(root.id());

    for (RunId id : List.of(root.id(), middle.id(), lower.id(), leaf.id())) {
      assertThat(store.run(id).status()).isEqualTo(Status.CANCELLED);
    }
  }

  @Test
  void abandonedAndDetachedChildrenLiveOn() {
    Turn parent = store.begin();
    NewRun abandoned = newChild(parent.id(), Bond.ABANDONED);
    NewRun detached = newChild(parent.id(), Bond.DETACHED);
    parent.draft(waiting(child(abandoned.id()))).starting(abandoned, detached).must();

    store.forceCancel(parent.id());

    assertThat(store.run(abandoned.id()).status()).isEqualTo(Status.PENDING);
    assertThat(store.run(detached.id()).status()).isEqualTo(Status.PENDING);
    assertThat(store.mail(abandoned.id())).isEmpty();
    store.claim(2, abandoned.type()).forEach(Turn::succeed);
    assertThat(store.mail(parent.id())).isEmpty();
  }

  @Test
  void whatHangsBelowAnAbandonedChildLivesOn() {
    Turn root = store.begin();
    Turn abandoned = childOf(root, Bond.ABANDONED);
    Turn below = childOf(abandoned, Bond.AWAITED);

    store.forceCancel(root.id());

    assertThat(store.run(abandoned.id()).status()).isEqualTo(Status.SUSPENDED);
    assertThat(store.run(below.id()).status()).isEqualTo(Status.RUNNING);
    assertThat(store.mail(below.id())).isEmpty();
  }

  @Test
  void aForcedCancelForcesTheWholeTree() {
    Turn root = store.begin();
    Turn running = childOf(root, Bond.AWAITED);

    store.forceCancel(root.id());

    assertThat(store.run(running.id()).status()).isEqualTo(Status.CANCELLED);
    as(Outcome.Fenced.class, running.write(Turn.step("late")));
  }

  @Test
  void aParentThatCleansUpHearsOfItsCancelledChildren() {
    Turn parent = store.begin();
    NewRun wanted = newChild(parent.id(), Bond.AWAITED);
    parent.draft(withCleanup(waiting(child(wanted.id())))).starting(wanted).must();

    store.cancel(parent.id());

    assertThat(store.run(wanted.id()).status()).isEqualTo(Status.CANCELLED);
    List<Mail> mail = store.claimOne().mail();
    assertThat(mail.get(0)).isInstanceOf(Mail.Cancel.class);
    assertThat(((Mail.ChildOutcome) mail.get(1)).result())
        .isEqualTo(new Event.ChildResult.Cancelled("enough"));
  }

  @Test
  void finishedChildrenStayAsTheyAre() {
    Turn parent = store.begin();
    Turn done = childOf(parent, Bond.AWAITED);
    done.succeed(Json.TRUE);

    store.cancel(parent.id());

    assertThat(store.run(done.id()).status()).isEqualTo(Status.SUCCEEDED);
  }

  @Test
  void aCancelledChildDoesNotCancelItsParent() {
    Turn parent = store.begin();
    Turn one = childOf(parent, Bond.AWAITED);

    store.forceCancel(one.id());

    assertThat(store.run(parent.id()).status()).isEqualTo(Status.SUSPENDED);
  }

  /** A child that its parent waits for, already claimed. */
  private Turn childOf(Turn parent, Bond bond) {
    NewRun wanted = newChild(parent.id(), bond);
    parent.draft(waiting(child(wanted.id()))).starting(wanted).must();
    return store.claim(1, wanted.type()).getFirst();
  }
}
