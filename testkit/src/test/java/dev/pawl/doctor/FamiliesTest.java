package dev.pawl.doctor;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.time.Ids;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S8: what is wrong between parents and children is reported by that name. */
class FamiliesTest extends Examination {
  private static final Event.ChildResult RESULT = new Event.ChildResult.Succeeded(Json.TRUE);

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
    write(
        turn, turn.mail(), List.of(), new Event.ChildFinished(0, child.id(), RESULT), succeeded());
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
    commit(new Command.Rewind(child.id(), Ids.next(), "rewind", 1, ""));
    write(claim(child.id()), new Event.Failed(Failure.of("NO", "not this time")));
    assertHealthy();
  }

  @Test
  void anOutcomeOfAStrangerIsFound() {
    RunId stranger = finished();
    write(parent, new Event.ChildFinished(0, stranger, RESULT), succeeded());
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

  private RunId forkOfBoth() {
    finishBoth();
    List<Event> history = List.of(started, new Event.ChildFinished(0, child.id(), RESULT));
    return start(newRun().withOrigin(new NewRun.Origin(id(), 0, history)));
  }

  @Test
  void aForkKeepsTheOutcomesOfChildrenThatAreNotItsOwn() {
    RunId fork = forkOfBoth();
    assertHealthy();
    write(claim(fork), step(1, "a"), waitingFor(signal("go")));
    send(fork, "other");
    assertHealthy();
  }

  @Test
  void aForkMayBeToldSuchAnOutcomeAgainIfItWasRewoundOver() {
    RunId fork = forkOfBoth();
    write(claim(fork), succeeded());
    commit(new Command.Rewind(fork, Ids.next(), "rewind", 2, ""));
    assertHealthy();
    write(claim(fork), new Event.ChildFinished(0, child.id(), RESULT), succeeded());
    assertHealthy();
  }

  @Test
  void anOutcomeThatArrivedTwiceIsFound() {
    startChild();
    write(claim(child.id()), succeeded());
    Mail once = store.mail(id()).getFirst();
    store.serveMail(id(), once, once);
    store.serveRow(id(), row -> row.change().wakes(2).run());
    assertReported(id(), "S8");
  }

  @Test
  void anOutcomeThatWasRewoundOverMayBeToldAgain() {
    finishBoth();
    commit(new Command.Rewind(id(), Ids.next(), "rewind", 3, ""));
    write(claim(id()), new Event.ChildFinished(0, child.id(), RESULT), succeeded());
    assertHealthy();
  }

  @Test
  void whatEndedBeforeItsParentWasTakenBackNeedNotBeInTheMailbox() {
    finishBoth();
    commit(new Command.Rewind(id(), Ids.next(), "rewind", 3, ""));
    assertHealthy();
  }
}
