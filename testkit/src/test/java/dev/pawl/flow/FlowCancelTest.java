package dev.pawl.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A flow that is cancelled while it waits for a child ends cancelled, whatever the child does. */
@Timeout(60)
class FlowCancelTest {
  private static final Task<String, String> CHILD =
      Task.of("cancel.child.v1", String.class, String.class, in -> in);
  private static final Flow<String, String> PARENT =
      Flow.define(
          "cancel.parent.v1",
          String.class,
          String.class,
          (ctx, in) -> ctx.child(CHILD, in).await());

  private final MemoryStore memory = new MemoryStore(InstantSource.system());
  private final Pawl pawl = Pawl.open(memory);

  @AfterEach
  void close() {
    pawl.close();
  }

  private RunHandle<String> waitingForItsChild() {
    pawl.register(PARENT);
    pawl.work(worker -> worker.drain(Duration.ofMillis(50)));
    RunHandle<String> parent = pawl.start(PARENT, "x");
    Await.until("it waits", () -> pawl.get(parent.id()).status() == Status.SUSPENDED);
    return parent;
  }

  private void awaitCancelled(RunId parent) {
    Await.until("it has ended", () -> pawl.get(parent).status().isTerminal());
    assertThat(pawl.get(parent).status()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aChildThatIsCancelledWithItsParentDoesNotFailIt() {
    RunHandle<String> parent = waitingForItsChild();

    parent.cancel("enough");

    awaitCancelled(parent.id());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aChildThatEndsAtTheSameMomentDoesNotDecide(boolean succeeds) {
    RunHandle<String> parent = waitingForItsChild();
    Activation child = claimed();
    Event end =
        succeeds
            ? new Event.Succeeded(Json.string("y"))
            : new Event.Failed(Failure.of("OOPS", "it broke"));

    memory.commit(
        List.of(
            new Command.Advance(
                child.run().id(), child.run().epoch(), child.seq() + 1, 0, List.of(end)),
            new Command.Cancel(parent.id(), "enough", false)));

    awaitCancelled(parent.id());
  }

  private Activation claimed() {
    Await.until("the child is there", () -> !children().isEmpty());
    Command.Claimant other = new Command.Claimant("other", Duration.ofMinutes(1), 1);
    Outcome claimed =
        memory.commit(List.of(new Command.Claim(other, Routes.of(CHILD.type()), 1))).getFirst();
    return ((Outcome.Claimed) claimed).activations().getFirst();
  }

  private List<Run> children() {
    return pawl.list(Query.all().withType(CHILD.type()));
  }
}
