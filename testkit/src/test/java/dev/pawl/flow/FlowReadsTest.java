package dev.pawl.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ForwardingStore;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A flow whose log cannot be read when its turn comes. */
@Timeout(60)
class FlowReadsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Store memory = new MemoryStore(InstantSource.system());
  private final Flow<String, String> flow =
      Flow.define(
              "reads.v1",
              String.class,
              String.class,
              (ctx, in) ->
                  ctx.step("one", String.class, () -> "one ")
                      + ctx.awaitSignal("two", String.class))
          .retry(Retry.fixed(1, Duration.ofMillis(1)));

  @Test
  void aLogThatCannotBeReadIsNoFailureOfTheFlow() {
    RunId id;
    try (Pawl first = Pawl.open(memory).register(flow)) {
      first.work();
      id = first.start(flow, "in").id();
      Await.until("it waits", () -> memory.run(id).orElseThrow().status() == Status.SUSPENDED);
    }
    Unreadable unreadable = new Unreadable(memory, 2);
    try (Pawl second = Pawl.open(unreadable).register(flow)) {
      second.work();
      second.signal(id, "two", "two");
      assertThat(second.handle(id).result(SOON)).isEqualTo(Json.string("one two"));
    }
    List<Event> events = memory.log(id, 0, Integer.MAX_VALUE).stream().map(Entry::event).toList();
    assertThat(events).filteredOn(Event.Released.class::isInstance).hasSize(2);
    assertThat(memory.run(id).orElseThrow().attempt()).isEqualTo(1);
    Invariants.check(memory, id);
  }

  /** A store whose logs cannot be read so many times. */
  private static final class Unreadable extends ForwardingStore {
    private final AtomicInteger left;

    Unreadable(Store store, int times) {
      super(store);
      this.left = new AtomicInteger(times);
    }

    @Override
    public List<Entry> log(RunId id, long after, int limit) {
      if (left.getAndDecrement() > 0) {
        throw new PawlException(ErrorCode.STORE_UNAVAILABLE, "no reading today");
      }
      return super.log(id, after, limit);
    }
  }
}
