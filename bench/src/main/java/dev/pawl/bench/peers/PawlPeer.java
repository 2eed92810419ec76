package dev.pawl.bench.peers;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.cli.bench.Subjects;
import dev.pawl.commit.GroupCommit;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import dev.pawl.work.Task;
import dev.pawl.work.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Pawl, on whatever store the address says. */
public final class PawlPeer implements Peer {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int STARTED_AT_ONCE = 10_000;

  private static final Task<Integer, Integer> TASK =
      Task.of("bench.counted.v1", Integer.class, Integer.class, PawlPeer::counted);
  private static final Task<String, String> ECHO =
      Task.of("bench.echo.v1", String.class, String.class, PawlPeer::counted);
  private static final Flow<Long, Void> SLEEPER =
      Flow.define(
          "bench.sleeper.v1",
          Long.class,
          Void.class,
          (ctx, due) -> {
            Tally.asleep();
            ctx.timerUntil(Instant.ofEpochMilli(due)).await();
            Tally.awake(due);
            return null;
          });

  private final Flow<Integer, Integer> blocked =
      Flow.define(
          "bench.blocked.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> {
            ctx.step("first", Integer.class, () -> 1);
            ctx.step("second", this::stay);
            return in;
          });

  private @Nullable Pawl pawl;
  private @Nullable Worker worker;
  private @Nullable Role role;
  private String settings = "";
  private String durability = "";

  @Override
  public void open(Place place) {
    role = place.role();
    Pawl opened = openStore(place.url());
    pawl = opened;
    opened.register(Subjects.TASK).register(Subjects.FLOW1).register(Subjects.FLOW5);
    opened.register(Subjects.SIGNAL).register(Subjects.FANOUT);
    opened
        .register(TASK)
        .register(ECHO)
        .register(SLEEPER)
        .register(blocked)
        .register(LongFlow.FLOW);
    int turns = Math.max(256, place.concurrency());
    if (place.role().works()) {
      worker = opened.work(options -> options.concurrency(turns));
    }
    durability = opened.store().durability();
    settings = "this checkout; " + turns + " turns at once, all else by default";
  }

  private static Pawl openStore(String url) {
    try {
      return Pawl.open(url);
    } catch (PawlException e) {
      throw e.code() == ErrorCode.BAD_INPUT
          ? new IllegalStateException("no store for " + url.replaceFirst("//.*", "//"), e)
          : e;
    }
  }

  private static <T> T counted(T input) {
    Tally.executed();
    return input;
  }

  private Pawl pawl() {
    return Objects.requireNonNull(pawl, "not open");
  }

  private void stay() throws InterruptedException {
    Tally.executed();
    if (role == Role.DOOMED) {
      new CountDownLatch(1).await();
    }
  }

  @Override
  public String settings() {
    return settings;
  }

  @Override
  public String durability() {
    return durability;
  }

  @Override
  public void tasks(int count, String payload) {
    if (payload.isEmpty()) {
      pawl().startAll(TASK, Collections.nCopies(count, 1));
    } else {
      pawl().startAll(ECHO, Collections.nCopies(count, payload));
    }
  }

  /** A worker is idle when the end of its last turn is durable. */
  @Override
  public void awaitEnds() throws InterruptedException {
    while (worker != null && !worker.isIdle()) {
      Thread.sleep(1);
    }
  }

  @Override
  public void flow(int steps) {
    pawl().start(steps == 1 ? Subjects.FLOW1 : Subjects.FLOW5, 0).result(PATIENCE);
  }

  @Override
  public String startWaiting() throws InterruptedException {
    RunHandle<Integer> run = pawl().start(Subjects.SIGNAL, 0);
    while (run.run().status() != Status.SUSPENDED) {
      Thread.sleep(1);
    }
    return run.id().toString();
  }

  @Override
  public void signal(String id) {
    RunId run = RunId.parse(id);
    pawl().signal(run, "go", 1);
    pawl().handle(run).result(PATIENCE);
  }

  @Override
  public void sleepers(int count, Instant due) {
    pawl().startAll(SLEEPER, Collections.nCopies(count, due.toEpochMilli()));
  }

  @Override
  public long fanOut(int children) {
    RunHandle<Integer> run = pawl().start(Subjects.FANOUT, 0);
    run.result(PATIENCE);
    return pawl().log(run.id()).stream()
            .map(Entry::event)
            .filter(Event.Leased.class::isInstance)
            .count()
        - 1;
  }

  @Override
  public void block(int count) {
    pawl().startAll(blocked, Collections.nCopies(count, 1));
  }

  @Override
  public long unfinished() {
    return pawl().counts().stream()
        .filter(each -> each.type().equals(blocked.type()) && !each.status().isTerminal())
        .mapToLong(Count::runs)
        .sum();
  }

  @Override
  public void park(int count) throws InterruptedException {
    List<Integer> inputs = new ArrayList<>(Collections.nCopies(count, 0));
    for (int from = 0; from < count; from += STARTED_AT_ONCE) {
      int to = Math.min(count, from + STARTED_AT_ONCE);
      pawl().startAll(Subjects.SIGNAL, inputs.subList(from, to));
    }
    while (suspended() < count) {
      Thread.sleep(20);
    }
  }

  private long suspended() {
    return pawl().counts().stream()
        .filter(
            each -> each.type().equals(Subjects.SIGNAL.type()) && each.status() == Status.SUSPENDED)
        .mapToLong(Count::runs)
        .sum();
  }

  @Override
  public Map<String, Long> counters() {
    GroupCommit.Totals totals = pawl().commits().totals();
    return Map.of("commits", totals.commits(), COMMANDS, totals.commands());
  }

  @Override
  public double[] longFlow(int steps) throws InterruptedException {
    return LongFlow.run(pawl(), steps);
  }

  @Override
  public double coldSeconds(int steps) {
    return LongFlow.finish(pawl(), steps);
  }

  @Override
  public double claimMillis() {
    return Claims.medianMillis(pawl());
  }

  @Override
  public void close() {
    if (pawl != null) {
      pawl.close();
      pawl = null;
      worker = null;
    }
  }
}
