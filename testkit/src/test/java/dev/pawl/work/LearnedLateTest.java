package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.store.Definition;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A worker that rests looks at once for runs of what it learns. Its time stands still: it never
 * polls.
 */
@Timeout(60)
class LearnedLateTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Task<Integer, Integer> FIRST = task("test.first.v1");
  private static final Task<Integer, Integer> LATE = task("test.late.v1");

  private final Pawl pawl = Pawl.open(new MemoryStore(new ManualClock()));

  private static Task<Integer, Integer> task(String type) {
    return Task.define(type, Integer.class, Integer.class, (context, in) -> in + 1);
  }

  /** Ends each run with its definition's source. */
  private static final class Quotes implements DefinedProgram {
    @Override
    public String kind() {
      return "quote";
    }

    @Override
    public Retry retry() {
      return Retry.standard();
    }

    @Override
    public Event.TurnEnd run(Turn turn, Definition definition) {
      return new Event.Succeeded(Json.number(definition.source().length()));
    }
  }

  private RunHandle<Integer> pendingWhileOneRests() {
    RunHandle<Integer> run = pawl.start(LATE, 1);
    Worker worker = pawl.work();
    Await.until("the worker has looked", worker::isIdle);
    return run;
  }

  @BeforeEach
  void know() {
    pawl.register(FIRST);
  }

  @AfterEach
  void close() {
    pawl.close();
  }

  @Test
  void aTypeThatIsRegistered() {
    RunHandle<Integer> run = pendingWhileOneRests();

    pawl.register(LATE);

    assertThat(run.result(SOON)).isEqualTo(2);
  }

  @Test
  void aKindOfDefinition() {
    pawl.deploy(Definition.of(LATE.type(), "quote", "roses"));
    RunHandle<Integer> run = pendingWhileOneRests();

    pawl.register(new Quotes());

    assertThat(run.result(SOON)).isEqualTo(5);
  }

  @Test
  void aDefinition() {
    pawl.register(new Quotes());
    RunHandle<Integer> run = pendingWhileOneRests();

    pawl.deploy(Definition.of(LATE.type(), "quote", "roses"));

    assertThat(run.result(SOON)).isEqualTo(5);
  }
}
