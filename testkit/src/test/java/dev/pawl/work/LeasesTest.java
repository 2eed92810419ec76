package dev.pawl.work;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.FaultyStore;
import dev.pawl.testkit.ForwardingStore;
import java.time.Duration;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases are renewed while their holder lives, and taken over when it does not. */
@Timeout(60)
class LeasesTest extends WorkerHouse {
  private static final String TYPE = "leases.task.v1";
  private static final Duration LEASE = ofMillis(900);

  private final Task<String, String> echo =
      Task.define(
          TYPE,
          String.class,
          String.class,
          (context, in) -> {
            done.add(in);
            return in + context.attempt();
          });

  @Test
  void aLongTaskKeepsItsLease() {
    Task<String, String> slow =
        Task.define(
            TYPE,
            String.class,
            String.class,
            (context, in) -> {
              done.add("begin");
              letPass(LEASE.multipliedBy(3));
              return in;
            });
    Pawl first = engine(slow);
    first.work(w -> w.lease(LEASE).poll(ofMillis(20)).drain(ofMillis(100)));
    RunHandle<String> run = first.start(slow, "in");
    awaitStatus(run, Status.RUNNING);
    Pawl second = engine(slow);
    second.work(w -> w.lease(LEASE).poll(ofMillis(20)).drain(ofMillis(100)));
    assertThat(run.result(SOON)).isEqualTo("in");
    assertThat(done).containsExactly("begin");
    assertThat(events(run, Event.Leased.class)).hasSize(1);
    check(run);
  }

  @Test
  void aWorkerThatCannotRenewLosesItsRunAndWritesNothing() {
    AtomicInteger bodies = new AtomicInteger();
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    Task<String, String> task =
        Task.define(
            TYPE,
            String.class,
            String.class,
            (context, in) -> {
              if (bodies.incrementAndGet() == 1) {
                while (taken.getCount() > 0) {
                  Await.until("taken", () -> taken.getCount() == 0 || Thread.interrupted());
                }
                late.countDown();
                return "the zombie's";
              }
              taken.countDown();
              return "the heir's";
            });
    FaultyStore cutOff = new FaultyStore(memory);
    cutOff.poison(
        command -> command instanceof Command.Extend,
        new PawlException(ErrorCode.STORE_UNAVAILABLE, "cut off"));
    Pawl zombie = engine(cutOff, task);
    Worker dying = zombie.work(w -> patient().apply(w).lease(ofMillis(200)));
    RunHandle<String> run = zombie.start(task, "in");
    awaitStatus(run, Status.RUNNING);
    Pawl heir = engine(task);
    heir.work(w -> w.poll(ofMillis(20)).drain(ofMillis(100)));
    assertThat(heir.handle(run.id()).result(SOON)).isEqualTo(Json.string("the heir's"));
    Await.open("the zombie wakes up", late);
    Await.until("the zombie has given up", () -> dying.busy() == 0);
    assertThat(run(run.id()).result()).contains(Json.string("the heir's"));
    assertThat(events(run, Event.Succeeded.class)).hasSize(1);
    check(run);
  }

  @Test
  void aWorkerThatLearnsThatItsLeaseIsLostInterruptsTheTask() {
    CountDownLatch started = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    Task<String, String> task =
        Task.define(
            TYPE,
            String.class,
            String.class,
            (context, in) -> {
              started.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              return "?";
            });
    Pawl pawl = engine(task);
    Worker worker = pawl.work(w -> patient().apply(w).lease(ofMillis(300)));
    RunHandle<String> run = pawl.start(task, "in");
    Await.open("it has started", started);
    memory.commit(List.of(new Command.Cancel(run.id(), "by force", true)));
    int entries = log(run.id()).size();
    Await.until("it was interrupted", interrupted::get);
    Await.until("the turn is over", () -> worker.busy() == 0);
    assertThat(log(run.id())).hasSize(entries);
    check(run);
  }

  @Test
  void aWorkerThatTakesUpWhatItLostInterruptsWhatItWasDoing() {
    AtomicBoolean interrupted = new AtomicBoolean();
    Task<String, String> task =
        Task.define(
            TYPE,
            String.class,
            String.class,
            (context, in) -> {
              if (context.attempt() > 1) {
                return "second";
              }
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.set(true);
              }
              return "first";
            });
    ForwardingStore noRenewals =
        new ForwardingStore(memory) {
          @Override
          public List<Outcome> commit(List<Command> commands) {
            return commands.stream()
                .map(command ->
                    command instanceof Command.Extend
                        ? new Outcome.Extended(Set.of(), Set.of())
                        : super.commit(List.of(command)).get(0))
                .toList();
          }
        };
    Pawl pawl = engine(noRenewals, task);
    Worker worker = pawl.work(w -> patient().apply(w).lease(ofMillis(300)));
    RunHandle<String> run = pawl.start(task, "in");
    assertThat(run.result(SOON)).isEqualTo("second");
    Await.until("the first was interrupted", interrupted::get);
    Await.until("both turns are over", () -> worker.busy() == 0);
    check(run);
  }

  @Test
  void whatADeadWorkerHeldIsTakenUpWhenItsLeaseExpires() {
    Pawl pawl = engine(echo);
    RunHandle<String> run = pawl.start(echo, "in");
    assertThat(claimAndDie(TYPE, ofMillis(150))).isEqualTo(1);
    pawl.work(patient());
    assertThat(run.result(SOON)).isEqualTo("in2");
    List<Event.Leased> leases = events(run, Event.Leased.class);
    assertThat(leases).hasSize(2);
    assertThat(log(run.id()).get(2).at()).isAfterOrEqualTo(leases.get(0).until());
    check(run);
  }

  @Test
  void aRunWhoseWorkersKeepDyingFails() {
    Pawl pawl = engine(echo);
    RunHandle<String> run = pawl.start(echo, "in", o -> o.maxAttempts(2));
    for (int i = 0; i < 2; i++) {
      Await.until("it is claimed again", () -> claimAndDie(TYPE, ofMillis(10)) == 1);
    }
    pawl.work(patient());
    assertThatThrownBy(() -> run.result(SOON))
        .isInstanceOfSatisfying(
            FailedException.class, e -> assertThat(e.failure().code()).isEqualTo("WORKER_LOST"))
        .hasMessageContaining("dead");
    assertThat(done).isEmpty();
    check(run);
  }

  @Test
  void aFlowThatKillsItsWorkersWithoutGettingFurtherIsPoisoned() {
    Flow<String, String> flow =
        Flow.define(
            "leases.flow.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.step("one", () -> {});
              return ctx.awaitSignal("go", String.class);
            });
    Pawl first = engine(flow);
    first.work(patient());
    RunHandle<String> run = first.start(flow, "in");
    awaitStatus(run, Status.SUSPENDED);
    first.close();
    Pawl outside = engine();
    outside.signal(run.id(), "go", "x");
    for (int i = 0; i < 5; i++) {
      Await.until("it is claimed again", () -> claimAndDie(flow.type(), ofMillis(10)) == 1);
    }
    Pawl last = engine(flow);
    last.work(patient());
    assertThatThrownBy(() -> last.handle(run.id()).result(SOON))
        .isInstanceOfSatisfying(
            FailedException.class, e -> assertThat(e.failure().code()).isEqualTo("POISONED"));
    check(run);
  }

  @Test
  void newsOfALostLeaseDoNotHitTheNextTurnOfTheRun() {
    CountDownLatch resumed = new CountDownLatch(1);
    AtomicBoolean delayed = new AtomicBoolean();
    Flow<String, String> flow =
        Flow.define(
            "leases.flow.v1",
            String.class,
            String.class,
            (ctx, in) -> {
              ctx.step("wait", () -> Await.until("a heartbeat is out", delayed::get));
              ctx.sleep(ofMillis(1));
              ctx.step(
                  "second turn",
                  () -> {
                    resumed.countDown();
                    letPass(ofMillis(200));
                  });
              return "ok";
            });
    ForwardingStore store =
        new ForwardingStore(memory) {
          @Override
          public List<Outcome> commit(List<Command> commands) {
            List<Outcome> outcomes = new ArrayList<>(super.commit(commands));
            for (int i = 0; i < outcomes.size(); i++) {
              if (commands.get(i) instanceof Command.Extend extend
                  && delayed.compareAndSet(false, true)) {
                outcomes.set(i, new Outcome.Extended(lateNews(resumed, extend), Set.of()));
              }
            }
            return outcomes;
          }
        };
    Pawl pawl = engine(store, flow);
    pawl.work(w -> patient().apply(w).lease(ofSeconds(3)));
    RunHandle<String> run = pawl.start(flow, "in");
    assertThat(run.result(SOON)).isEqualTo("ok");
    assertThat(events(run, Event.Leased.class)).as("no turn was lost").hasSize(2);
  }

  /** The runs of a renewal, told as lost only when the run has gone on to its next turn. */
  private static Set<RunId> lateNews(CountDownLatch resumed, Command.Extend extend) {
    return new AbstractSet<>() {
      @Override
      public Iterator<RunId> iterator() {
        Await.open("the next turn has begun", resumed);
        return extend.held().stream().map(Command.Held::run).iterator();
      }

      @Override
      public int size() {
        return extend.held().size();
      }
    };
  }
}
