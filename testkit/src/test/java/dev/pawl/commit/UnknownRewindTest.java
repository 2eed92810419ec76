package dev.pawl.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rewind whose outcome is unknown is known again by its order, whatever came after it. */
@Timeout(60)
class UnknownRewindTest {
  private static final Event FAILED = new Event.Failed(Failure.of("NO", "no"));
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final MemoryStore memory = new MemoryStore(new ManualClock());
  private final FaultyStore store = new FaultyStore(memory);
  private final GroupCommit commits = new GroupCommit(store);

  @AfterEach
  void close() {
    commits.close();
  }

  @Test
  void aRewindWhoseRunWasClaimedMeanwhileIsNotRepeated() {
    Activation held = begin();
    memory.commit(List.of(advance(held, step("a"), new Event.Succeeded(Json.NULL))));
    RunId id = held.run().id();
    Store meanwhile = new Meanwhile(store, () -> memory.commit(List.of(claim(9))));
    try (GroupCommit others = new GroupCommit(meanwhile)) {
      store.loseNextAnswer();
      assertThat(others.commit(new Command.Rewind(id, Ids.next(), "rewind", 1, "again")))
          .isInstanceOf(Outcome.Reopened.class);
    }
    assertThat(memory.run(id).orElseThrow().status()).isEqualTo(Status.RUNNING);
    assertThat(log(id).stream().map(Entry::event).filter(Event.Rewound.class::isInstance))
        .hasSize(1);
  }

  @Test
  void aRetryWhoseRunHasFailedAgainMeanwhileIsNotRepeated() {
    RunId id = failed();
    Store meanwhile = new Meanwhile(store, this::failAgain);
    Command.Rewind retry = retry(id);
    try (GroupCommit others = new GroupCommit(meanwhile)) {
      store.loseNextAnswer();
      assertThat(others.commit(retry)).isInstanceOf(Outcome.Reopened.class);
    }
    assertThat(memory.run(id).orElseThrow().status()).isEqualTo(Status.FAILED);
    assertThat(reopenings(id)).containsExactly(retry.order());
  }

  @Test
  void aRetryOfARunThatWasRetriedBeforeAndFailedAgainIsNotTakenForDone() {
    RunId id = failed();
    Command.Rewind before = retry(id);
    memory.commit(List.of(before));
    failAgain();
    Command.Rewind retry = retry(id);
    store.loseNext();
    assertThat(commits.commit(retry)).isInstanceOf(Outcome.Reopened.class);
    assertThat(memory.run(id).orElseThrow().status()).isEqualTo(Status.PENDING);
    assertThat(reopenings(id)).containsExactly(before.order(), retry.order());
  }

  @Test
  void aRewindLikeOneBeforeIsNotTakenForIt() {
    Activation held = begin();
    RunId id = held.run().id();
    Command.Rewind before = new Command.Rewind(id, Ids.next(), "rewind", 1, "");
    memory.commit(List.of(before));
    Command.Rewind again = new Command.Rewind(id, Ids.next(), "rewind", 1, "");
    store.loseNext();
    assertThat(commits.commit(again)).isInstanceOf(Outcome.Reopened.class);
    assertThat(reopenings(id)).containsExactly(before.order(), again.order());
  }

  private RunId failed() {
    Activation held = begin();
    memory.commit(List.of(advance(held, FAILED)));
    return held.run().id();
  }

  /** Lets a worker take whatever is due, and fail. */
  private void failAgain() {
    Outcome.Claimed again = (Outcome.Claimed) memory.commit(List.of(claim(7))).getFirst();
    again.activations().forEach(turn -> memory.commit(List.of(advance(turn, FAILED))));
  }

  private static Command.Rewind retry(RunId id) {
    return new Command.Rewind(id, Ids.next(), "retry", 0, "again");
  }

  private List<UUID> reopenings(RunId id) {
    return log(id).stream()
        .map(Entry::event)
        .filter(Event.Rewound.class::isInstance)
        .map(event -> ((Event.Rewound) event).order().orElseThrow())
        .toList();
  }

  private Activation begin() {
    Command.Start start =
        new Command.Start(StoreFixture.newRun(), Optional.of(claim(1).claimant()));
    return ((Outcome.Started) memory.commit(List.of(start)).getFirst()).activation().orElseThrow();
  }

  private static Command.Advance advance(Activation held, Event... events) {
    return new Command.Advance(
        held.run().id(), held.run().epoch(), held.seq() + 1, held.run().wakes(), List.of(events));
  }

  private static Command.Claim claim(long ticket) {
    return new Command.Claim(
        new Command.Claimant("another", LEASE, ticket), Routes.of(StoreFixture.TYPE), 1);
  }

  private static Event step(String name) {
    return new Event.StepCompleted(0, name, 0, 1, Json.NULL, 1);
  }

  private List<Entry> log(RunId id) {
    return memory.log(id, 0, 100);
  }
}
