package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import dev.pawl.time.Ids;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What a store with transactional steps must do besides everything else. */
public abstract class TransactionalStoreContract extends StoreContract {

  /** How to write to the store's own resource, and how to see what was written. */
  public interface Notebook {
    /** Writes the note with the resource that a transaction's body was given. */
    void write(Object resource, String note) throws Exception;

    /** The notes that are durable, as somebody else sees them, in any order. */
    List<String> notes() throws Exception;
  }

  /** A place for notes beside the store's own tables, empty for each fresh store. */
  protected abstract Notebook notebook(Store store) throws Exception;

  @Nested
  class Transacting extends Area {
    @Override
    StoreContract contract() {
      return TransactionalStoreContract.this;
    }

    @Test
    void theBodyGetsTheResourceThatTheStoreNames() {
      Turn turn = store.begin();
      Class<?> resource = store.store().transactionResource().orElseThrow();
      AtomicInteger right = new AtomicInteger();

      transact(
          turn,
          given -> {
            right.addAndGet(resource.isInstance(given) ? 1 : 0);
            return Turn.step("one");
          });

      assertThat(right).hasPositiveValue();
    }

    @Test
    void theBodysWritesAndItsEventAreDurableTogether() throws Exception {
      Notebook notebook = notebook(store.store());
      Turn turn = store.begin();
      Event step = new Event.StepCompleted(0, "pay", 0, 1, Json.string("paid"), 1);
      store.clock().advanceMillis(3);

      Outcome outcome = transact(turn, resource -> noted(notebook, resource, "paid", step));

      Entry expected = new Entry(3, store.now(), turn.epoch(), step);
      assertThat(as(Outcome.Transacted.class, outcome).entry()).isEqualTo(expected);
      assertThat(store.log(turn.id()).getLast()).isEqualTo(expected);
      assertThat(notebook.notes()).containsExactly("paid");
    }

    @Test
    void aBodyThatThrowsLeavesNothing() throws Exception {
      Notebook notebook = notebook(store.store());
      Turn turn = store.begin();

      Outcome outcome =
          transact(
              turn,
              resource -> {
                notebook.write(resource, "never");
                throw new IOException("no");
              });

      assertThat(as(Outcome.Threw.class, outcome).exception())
          .isInstanceOf(IOException.class)
          .hasMessage("no");
      assertThat(notebook.notes()).isEmpty();
      assertThat(store.log(turn.id())).hasSize(2);
      turn.checkpoint("still mine");
    }

    @Test
    void aFencedBodyDoesNotRun() throws Exception {
      Notebook notebook = notebook(store.store());
      Turn zombie = store.begin();
      store.clock().advance(StoreFixture.LEASE);
      store.claimOne("other");

      Outcome outcome =
          transact(zombie, resource -> noted(notebook, resource, "late", Turn.step("late")));

      as(Outcome.Fenced.class, outcome);
      assertThat(notebook.notes()).isEmpty();
      assertThat(store.kinds(zombie.id())).containsExactly("created", "leased", "leased");
    }

    @Test
    void theSameTransactionTwiceTakesEffectOnce() throws Exception {
      Notebook notebook = notebook(store.store());
      Turn turn = store.begin();
      Command.Transact.Body body = resource -> noted(notebook, resource, "paid", Turn.step("pay"));

      as(Outcome.Transacted.class, transact(turn, body));
      as(Outcome.Fenced.class, transact(turn, body));

      assertThat(notebook.notes()).containsExactly("paid");
      assertThat(store.log(turn.id())).hasSize(3);
    }

    @Test
    void aTransactionOfNoRunIsMissing() throws Exception {
      Notebook notebook = notebook(store.store());
      RunId unknown = new RunId(Ids.next());

      Outcome outcome =
          store.commitOne(
              new Command.Transact(
                  unknown, 1, 2, resource -> noted(notebook, resource, "odd", Turn.step("odd"))));

      assertThat(outcome).isEqualTo(new Outcome.Missing(unknown));
      assertThat(notebook.notes()).isEmpty();
    }

    @Test
    void aBodyThatThrowsDoesNotSpoilItsNeighbours() throws Exception {
      Notebook notebook = notebook(store.store());
      Turn first = store.begin();
      Turn second = store.begin();
      Turn third = store.begin();

      List<Outcome> outcomes =
          store.commit(
              first.draft(Turn.step("before")).planned(),
              command(
                  second,
                  resource -> {
                    notebook.write(resource, "never");
                    throw new IllegalStateException("no");
                  }),
              command(third, resource -> noted(notebook, resource, "third", Turn.step("third"))),
              first.draft(Turn.step("after")).planned());

      as(Outcome.Advanced.class, outcomes.get(0));
      as(Outcome.Threw.class, outcomes.get(1));
      as(Outcome.Transacted.class, outcomes.get(2));
      as(Outcome.Advanced.class, outcomes.get(3));
      assertThat(notebook.notes()).containsExactly("third");
      assertThat(store.log(first.id())).hasSize(4);
      assertThat(store.log(second.id())).hasSize(2);
    }

    @Test
    void aTransactionIsProgress() {
      Turn turn = store.begin();
      transact(turn, resource -> Turn.step("one"));
      store.clock().advance(StoreFixture.LEASE);

      assertThat(store.claimOne().run().resumed()).isTrue();
    }

    @Test
    void theNextEventFollowsTheTransaction() {
      Turn turn = store.begin();
      transact(turn, resource -> Turn.step("one"));

      Outcome outcome =
          store.commitOne(
              new Command.Advance(
                  turn.id(), turn.epoch(), 4, 0, List.of(new Event.Succeeded(Json.NULL))));

      as(Outcome.Advanced.class, outcome);
    }

    private Outcome transact(Turn turn, Command.Transact.Body body) {
      return store.commitOne(command(turn, body));
    }

    private Command.Transact command(Turn turn, Command.Transact.Body body) {
      return new Command.Transact(turn.id(), turn.epoch(), turn.nextSeq(), body);
    }

    private Event noted(Notebook notebook, Object resource, String note, Event event)
        throws Exception {
      notebook.write(resource, note);
      return event;
    }
  }
}
