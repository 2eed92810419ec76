package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Hint;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Hints. No one may rely on them, but a store that never gave any would make everything slow, so
 * those for its own commits must come.
 */
abstract class HintsContract extends Area {
  private static final long PATIENCE_SECONDS = 30;

  private final LinkedBlockingQueue<Hint> hints = new LinkedBlockingQueue<>();

  @Test
  void aStartHintsThatItsTypeIsClaimable() throws Exception {
    try (Store.Listening listening = store.store().listen(hints::add)) {
      store.start("a.v1");

      await(new Hint.Claimable("a.v1"));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void theEndOfARunIsHinted() throws Exception {
    Turn turn = store.begin();
    try (Store.Listening listening = store.store().listen(hints::add)) {
      turn.succeed();

      await(new Hint.Finished(turn.id()));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void aCancelIsHintedAsAnEnd() throws Exception {
    RunId id = store.start();
    try (Store.Listening listening = store.store().listen(hints::add)) {
      store.cancel(id);

      await(new Hint.Finished(id));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void aSignalThatWakesIsHinted() throws Exception {
    Turn turn = store.begin(newRun("a.v1"));
    turn.suspendFor(Turn.signal("go"));
    try (Store.Listening listening = store.store().listen(hints::add)) {
      store.send(turn.id(), "go");

      await(new Hint.Claimable("a.v1"));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void anEventThatWakesIsHinted() throws Exception {
    Turn turn = store.begin(newRun("a.v1"));
    turn.suspendFor(Turn.topic("news", turn.run().since()));
    try (Store.Listening listening = store.store().listen(hints::add)) {
      store.emit("news", Json.NULL);

      await(new Hint.Claimable("a.v1"));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void aChildAndTheWakeOfItsParentAreHinted() throws Exception {
    Turn parent = store.begin(newRun("a.v1"));
    var child = StoreFixture.newChild(parent.id(), Bond.AWAITED);
    try (Store.Listening listening = store.store().listen(hints::add)) {
      parent.draft(Turn.waiting(Turn.child(child.id()))).starting(child).must();
      await(new Hint.Claimable(child.type()));

      store.claim(1, child.type()).getFirst().succeed();
      await(new Hint.Claimable("a.v1"));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void aRetryWithoutBackoffAndAnEnabledTypeAreHinted() throws Exception {
    Turn turn = store.begin(newRun("a.v1"));
    try (Store.Listening listening = store.store().listen(hints::add)) {
      turn.retryIn(Duration.ZERO);
      await(new Hint.Claimable("a.v1"));

      store.configure(TypeState.enabled("b.v1"));
      await(new Hint.Claimable("b.v1"));
      assertThat(listening).isNotNull();
    }
  }

  @Test
  void everyListenerHears() throws Exception {
    LinkedBlockingQueue<Hint> others = new LinkedBlockingQueue<>();
    try (Store.Listening first = store.store().listen(hints::add);
        Store.Listening second = store.store().listen(others::add)) {
      store.start("a.v1");

      await(new Hint.Claimable("a.v1"));
      assertThat(others.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isNotNull();
      assertThat(first).isNotSameAs(second);
    }
  }

  @Test
  void aClosedListenerHearsNothingMore() throws Exception {
    LinkedBlockingQueue<Hint> others = new LinkedBlockingQueue<>();
    Store.Listening closed = store.store().listen(others::add);
    closed.close();
    try (Store.Listening open = store.store().listen(hints::add)) {
      store.start("a.v1");

      await(new Hint.Claimable("a.v1"));
      assertThat(others).isEmpty();
      assertThat(open).isNotNull();
    }
  }

  @Test
  void aFencedWriteHintsNoEnd() throws Exception {
    Turn zombie = store.begin();
    store.clock().advance(StoreFixture.LEASE);
    store.claimOne("other");
    try (Store.Listening listening = store.store().listen(hints::add)) {
      zombie.write(new Event.Succeeded(Json.NULL));
      store.start("a.v1");

      await(new Hint.Claimable("a.v1"));
      assertThat(hints).doesNotContain(new Hint.Finished(zombie.id()));
      assertThat(listening).isNotNull();
    }
  }

  private void await(Hint wanted) throws InterruptedException {
    Hint hint = hints.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    while (hint != null && !hint.equals(wanted)) {
      hint = hints.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(hint).as("a hint in time").isEqualTo(wanted);
  }
}
