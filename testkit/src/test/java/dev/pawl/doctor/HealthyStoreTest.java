package dev.pawl.doctor;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.flow.FlowContext;
import dev.pawl.flow.Promise;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.time.Ids;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import dev.pawl.work.Task;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The doctor has nothing to say of what the engine itself writes, at rest and at work. */
@Timeout(60)
class HealthyStoreTest {
  private static final Duration SOON = ofSeconds(20);

  private static final Task<String, String> ECHO =
      Task.of("test.echo.v1", String.class, String.class, in -> in);

  private static final Task<String, String> BROKEN =
      Task.of(
              "test.broken.v1",
              String.class,
              String.class,
              (String in) -> {
                throw new IllegalStateException(in);
              })
          .retry(Retry.fixed(2, ofMillis(5)));

  /** A bit of everything that ends by itself once it has its signal. */
  private static final Flow<String, String> EVERYTHING =
      Flow.define("test.everything.v1", String.class, String.class, HealthyStoreTest::everything);

  private static String everything(FlowContext ctx, String in) {
    ctx.step("first", () -> {});
    Promise<String> one = ctx.child(ECHO, in);
    Promise<String> two = ctx.child(ECHO, in, options -> options.abandon());
    Promise<String> bad = ctx.child(BROKEN, in);
    RunId spawned = ctx.spawn(ECHO, in);
    ctx.emit("topic." + in, spawned.toString());
    ctx.awaitEvent("topic." + in, String.class);
    ctx.allSettled(List.of(one, two, bad)).await();
    ctx.sleep(ofMillis(5));
    String word = ctx.awaitSignal("go", String.class);
    ctx.step("last", () -> {});
    return in + word;
  }

  private static final Flow<String, String> WAITING =
      Flow.define(
          "test.waiting.v1",
          String.class,
          String.class,
          (ctx, in) -> {
            Promise<String> child = ctx.child("test.unknown.v1", in, String.class);
            ctx.onFailure("undo", () -> {});
            return child.await();
          });

  private final Store store = new MemoryStore(InstantSource.system());
  private final Pawl pawl =
      Pawl.open(store).register(ECHO).register(BROKEN).register(EVERYTHING).register(WAITING);

  @AfterEach
  void close() {
    pawl.close();
  }

  private Report check() {
    List<Violation> found = new ArrayList<>();
    Report report = Doctor.check(store, found::add);
    assertThat(found).isEmpty();
    return report;
  }

  @Test
  void aStoreWithABitOfEverythingIsHealthy() {
    RunId crashed = crashed();
    check();
    pawl.work(worker -> worker.lease(ofMillis(500)).drain(ofMillis(100)));
    check();

    RunHandle<String> run = pawl.start(EVERYTHING, "a", options -> options.key("everything"));
    pawl.signal(run.id(), "unheard", "?");
    pawl.signal(run.id(), "go", "!");
    assertThat(run.result(SOON)).isEqualTo("a!");
    check();

    RunHandle<Json> fork = pawl.fork(run.id(), "last");
    fork.result(SOON);
    check();
    pawl.rewind(run.id(), "last");
    assertThat(run.result(SOON)).isEqualTo("a!");
    check();

    RunHandle<String> failed = pawl.start(BROKEN, "b");
    assertThat(failure(failed)).isInstanceOf(FailedException.class);
    pawl.retry(failed.id());
    failure(failed);
    check();

    RunHandle<String> waiting = pawl.start(WAITING, "c");
    pawl.signal(waiting.id(), "left over", "?");
    pawl.cancel(waiting.id(), "enough");
    failure(waiting);
    RunHandle<String> forced = pawl.start(WAITING, "d");
    pawl.cancel(forced.id(), "enough", true);
    failure(forced);
    RunHandle<String> delayed = pawl.start(ECHO, "e", options -> options.delay(ofSeconds(900)));
    pawl.cancel(delayed.id(), "never mind");
    pawl.start(ECHO, "f", options -> options.delay(ofSeconds(900)));
    pawl.start(WAITING, "g");
    pawl.handle(crashed).result(SOON);
    assertThat(check().runs()).isGreaterThan(12);
  }

  private static Exception failure(RunHandle<?> run) {
    return org.assertj.core.api.Assertions.catchException(() -> run.result(SOON));
  }

  /** A run whose first worker took it and died, and whose lease is soon over. */
  private RunId crashed() {
    NewRun run = NewRun.of(new RunId(Ids.next()), ECHO.type(), Json.string("crashed"));
    store.commit(
        List.of(
            new Command.Start(run),
            new Command.Claim(
                new Command.Claimant("dead", ofMillis(20), 1), Routes.of(ECHO.type()), 1)));
    return run.id();
  }

  @Test
  void aBusyStoreIsHealthyAtEveryMoment() {
    pawl.work(worker -> worker.concurrency(32).lease(ofMillis(300)).drain(ofMillis(100)));
    List<String> inputs = IntStream.range(0, 150).mapToObj(i -> "in" + i).toList();
    List<RunHandle<String>> runs = pawl.startAll(EVERYTHING, inputs);
    List<RunHandle<String>> cancelled = pawl.startAll(WAITING, inputs.subList(0, 50));
    for (int i = 0; i < runs.size(); i++) {
      pawl.signal(runs.get(i).id(), "go", "!");
      if (i < cancelled.size()) {
        pawl.cancel(cancelled.get(i).id(), "enough");
      }
      if (i % 10 == 0) {
        check();
      }
    }
    while (runs.stream().anyMatch(run -> !pawl.get(run.id()).status().isTerminal())) {
      check();
    }
    runs.forEach(run -> assertThat(run.result(SOON)).endsWith("!"));
    cancelled.forEach(HealthyStoreTest::failure);
    assertThat(check().runs()).isGreaterThan(150 * 5);
  }
}
