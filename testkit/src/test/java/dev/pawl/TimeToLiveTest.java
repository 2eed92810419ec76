package dev.pawl;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.doctor.Doctor;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.work.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What those who start runs say about how long they are kept. */
@Timeout(60)
class TimeToLiveTest {
  private static final Duration SOON = ofSeconds(30);

  private final Task<String, String> echo =
      Task.of("ttl.echo.v1", String.class, String.class, in -> in);
  private final Flow<String, String> flow =
      Flow.define(
          "ttl.flow.v1",
          String.class,
          String.class,
          (ctx, in) -> {
            ctx.spawn(echo, "detached");
            String out = ctx.child(echo, in, o -> o.ttl(ofHours(1)).priority(7)).await();
            return ctx.step("last", String.class, () -> out + "!");
          });
  private final ManualClock clock = new ManualClock();
  private final Store store = new MemoryStore(clock);
  private final Pawl pawl = Pawl.open(store).register(echo).register(flow);

  @AfterEach
  void close() {
    pawl.close();
  }

  private RunHandle<String> finished() {
    pawl.work(worker -> worker.drain(ofMillis(100)));
    RunHandle<String> run = pawl.start(flow, "in", o -> o.ttl(ofDays(7)).tag("a", "b"));
    assertThat(run.result(SOON)).isEqualTo("in!");
    return run;
  }

  @Test
  void everyWayToStartARunKeepsIt() {
    assertThat(pawl.start(echo, "x", o -> o.ttl(ofDays(7))).run().ttl()).contains(ofDays(7));
    assertThat(pawl.start(echo, "x").run().ttl()).isEmpty();
    assertThat(pawl.start("any.v1", Json.NULL, o -> o.ttl(ofMillis(1)).priority(1)).run().ttl())
        .contains(ofMillis(1));
    assertThat(
            pawl.startAll(echo, List.of("x"), (in, o) -> o.ttl(ofDays(1)).key(in))
                .getFirst()
                .run()
                .ttl())
        .contains(ofDays(1));
  }

  @Test
  void whatIsNoTimeIsRefusedAtOnce() {
    for (Duration none : List.of(Duration.ZERO, ofMillis(-1), ofDays(365_001))) {
      assertThatExceptionOfType(PawlException.class)
          .isThrownBy(() -> StartOptions.DEFAULTS.ttl(none))
          .withMessageContaining("at least a millisecond")
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_INPUT));
    }
  }

  @Test
  void aChildHasTheTimeThatItsParentSaysAndNotItsParents() {
    RunHandle<String> run = finished();

    List<Run> children = store.list(Query.all().withParent(run.id()));

    assertThat(children)
        .extracting(Run::ttl)
        .containsExactlyInAnyOrder(Optional.of(ofHours(1)), Optional.empty());
  }

  @Test
  void aForkIsKeptAsLongAsItsOriginal() {
    RunHandle<Json> fork = pawl.fork(finished().id(), "last");

    assertThat(fork.result(SOON)).isEqualTo(Json.string("in!"));
    assertThat(fork.run().ttl()).contains(ofDays(7));
  }

  @Test
  void aStoreWhoseChildrenAndParentsWereRemovedIsSound() {
    RunHandle<String> run = finished();
    clock.advance(ofHours(1));
    purge(1);
    assertThat(Doctor.check(store, each -> {}).isHealthy()).isTrue();

    clock.advance(ofDays(7));
    purge(1);
    assertThat(Doctor.check(store, each -> {}).isHealthy()).isTrue();
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> run.result(SOON))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  private void purge(int expected) {
    Command purge = new Command.Purge(ofDays(30), ofDays(1), 10);
    assertThat(store.commit(List.of(purge)))
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Purged.class, purged -> assertThat(purged.runs()).isEqualTo(expected));
  }
}
