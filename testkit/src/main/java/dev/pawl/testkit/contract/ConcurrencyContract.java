package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several threads at once. */
abstract class ConcurrencyContract extends Area {
  private static final int THREADS = 4;

  @Test
  void everyStartedRunIsClaimedExactlyOnce() throws Exception {
    int perThread = 100;
    Queue<RunId> claimed = new ConcurrentLinkedQueue<>();
    Threads producers =
        Threads.start(
            THREADS,
            "producer",
            number -> {
              for (int i = 0; i < perThread / 10; i++) {
                List<Command> batch = new ArrayList<>();
                for (int j = 0; j < 10; j++) {
                  batch.add(new Command.Start(newRun()));
                }
                store.commit(batch);
              }
            });
    Threads workers =
        Threads.start(
            THREADS,
            "worker",
            number -> {
              while (claimed.size() < THREADS * perThread) {
                store.claim(7, StoreFixture.TYPE).forEach(turn -> claimed.add(turn.id()));
              }
            });
    producers.join();
    workers.join();

    assertThat(claimed).hasSize(THREADS * perThread).doesNotHaveDuplicates();
    store.assertNothingToClaim();
  }

  @Test
  void wholeLivesOfRunsInParallelAllEnd() throws Exception {
    int runs = 60;
    Threads threads =
        Threads.start(
            THREADS,
            "life",
            number -> {
              for (int i = 0; i < runs; i++) {
                Turn turn = store.begin(newRun("life-" + number + ".v1"));
                turn.checkpoint("one");
                turn.suspendFor(Turn.signal("go"));
                store.send(turn.id(), "go");
                Turn second = store.claim(1, turn.run().type()).getFirst();
                second.draft(new Event.Succeeded(Json.NULL)).consuming(second.mail()).must();
              }
            });
    threads.join();

    assertThat(store.store().list(Query.all().withStatus(Status.SUCCEEDED).withLimit(1000)))
        .hasSize(THREADS * runs);
  }

  @Test
  void oneKeyStartedByManyIsOneRun() throws Exception {
    int keys = 30;
    Set<RunId> seen = ConcurrentHashMap.newKeySet();
    AtomicInteger started = new AtomicInteger();
    CyclicBarrier together = new CyclicBarrier(THREADS);
    Threads threads =
        Threads.start(
            THREADS,
            "starter",
            number -> {
              for (int i = 0; i < keys; i++) {
                Threads.meet(together);
                Outcome outcome = store.commitOne(new Command.Start(newRun().withKey("key-" + i)));
                if (outcome instanceof Outcome.Started first) {
                  started.incrementAndGet();
                  seen.add(first.run().id());
                } else {
                  seen.add(StoreFixture.as(Outcome.AlreadyStarted.class, outcome).run().id());
                }
              }
            });
    threads.join();

    assertThat(started).hasValue(keys);
    assertThat(seen).hasSize(keys);
  }

  @Test
  void ofManyWritersForOneSeqExactlyOneWins() throws Exception {
    int rounds = 40;
    Turn turn = store.begin();
    AtomicInteger won = new AtomicInteger();
    CyclicBarrier together = new CyclicBarrier(THREADS);
    Threads threads =
        Threads.start(
            THREADS,
            "writer",
            number -> {
              for (int i = 0; i < rounds; i++) {
                Threads.meet(together);
                Command.Advance command =
                    new Command.Advance(
                        turn.id(), turn.epoch(), 3 + i, 0, List.of(Turn.step("by-" + number)));
                if (store.commitOne(command) instanceof Outcome.Advanced) {
                  won.incrementAndGet();
                }
                Threads.meet(together);
              }
            });
    threads.join();

    assertThat(won).hasValue(rounds);
    assertThat(store.log(turn.id())).hasSize(2 + rounds);
  }

  @Test
  void ofManyWorkersAfterOneExpiredLeaseExactlyOneGetsIt() throws Exception {
    int rounds = 20;
    store.start(newRun().withMaxAttempts(rounds + 2));
    AtomicInteger won = new AtomicInteger();
    CyclicBarrier together =
        new CyclicBarrier(THREADS, () -> store.clock().advance(StoreFixture.LEASE));
    CyclicBarrier done = new CyclicBarrier(THREADS);
    Threads threads =
        Threads.start(
            THREADS,
            "worker",
            number -> {
              for (int i = 0; i < rounds; i++) {
                Threads.meet(together);
                Command.Claim claim =
                    new Command.Claim(
                        store.claimant("worker-" + number), Routes.of(StoreFixture.TYPE), 1);
                won.addAndGet(store.claimed(claim).activations().size());
                Threads.meet(done);
              }
            });
    threads.join();

    assertThat(won).hasValue(rounds);
  }

  @Test
  void signalsFromManyThreadsAllArriveAndEachSendersInOrder() throws Exception {
    int perThread = 60;
    RunId id = store.start();
    Threads threads =
        Threads.start(
            THREADS,
            "sender",
            number -> {
              for (int i = 0; i < perThread; i++) {
                store.send(id, "from-" + number, Json.number(i));
              }
            });
    threads.join();

    List<Mail> mail = store.mail(id);
    assertThat(mail).hasSize(THREADS * perThread);
    assertThat(store.run(id).wakes()).isEqualTo((long) THREADS * perThread);
    for (int number = 0; number < THREADS; number++) {
      String name = "from-" + number;
      List<Json> values =
          mail.stream()
              .map(Mail.Signal.class::cast)
              .filter(signal -> signal.name().equals(name))
              .map(Mail.Signal::value)
              .toList();
      for (int i = 0; i < perThread; i++) {
        assertThat(values.get(i)).isEqualTo(Json.number(i));
      }
    }
  }

  @Test
  void cancelAndFinishAtOnceHaveOneWinner() throws Exception {
    int rounds = 60;
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      turns.add(store.begin());
    }
    Set<RunId> finished = ConcurrentHashMap.newKeySet();
    Set<RunId> cancelled = ConcurrentHashMap.newKeySet();
    CyclicBarrier together = new CyclicBarrier(2);
    Threads threads =
        Threads.start(
            2,
            "racer",
            number -> {
              for (Turn turn : turns) {
                Threads.meet(together);
                if (number == 0) {
                  if (turn.write(new Event.Succeeded(Json.NULL)) instanceof Outcome.Advanced) {
                    finished.add(turn.id());
                  }
                } else if (store.commitOne(new Command.Cancel(turn.id(), "enough", true))
                    instanceof Outcome.CancelTaken) {
                  cancelled.add(turn.id());
                }
              }
            });
    threads.join();

    assertThat(Collections.disjoint(finished, cancelled)).isTrue();
    assertThat(finished.size() + cancelled.size()).isEqualTo(rounds);
    finished.forEach(id -> assertThat(store.run(id).status()).isEqualTo(Status.SUCCEEDED));
    cancelled.forEach(id -> assertThat(store.run(id).status()).isEqualTo(Status.CANCELLED));
  }

  @Test
  void childrenThatEndAtOnceWakeTheirParentOnce() throws Exception {
    int rounds = 25;
    for (int i = 0; i < rounds; i++) {
      Turn parent = store.begin();
      List<NewRun> children = new ArrayList<>();
      for (int j = 0; j < THREADS; j++) {
        children.add(StoreFixture.newChild(parent.id(), Bond.AWAITED));
      }
      List<Wait> waits = children.stream().map(child -> Turn.child(child.id())).toList();
      parent.draft(Turn.waiting(THREADS, waits)).starting(children).must();
      List<Turn> turns = store.claim(THREADS, "test.child.v1");

      Threads.start(THREADS, "child", number -> turns.get(number).succeed()).join();

      Turn woken = store.claim(1, parent.run().type()).getFirst();
      assertThat(woken.mail()).hasSize(THREADS);
      woken.draft(new Event.Succeeded(Json.NULL)).consuming(woken.mail()).must();
    }
  }

  @Test
  void readersSeeNoHalfWrittenRuns() throws Exception {
    AtomicInteger writing = new AtomicInteger(1);
    Threads reader =
        Threads.start(
            2,
            "reader",
            number -> {
              while (writing.get() > 0) {
                for (var run : store.store().list(Query.all().withLimit(20))) {
                  if (run.status().isTerminal()) {
                    assertThat(store.kinds(run.id()))
                        .containsExactly("created", "leased", "step.completed", "succeeded");
                  }
                }
              }
            });
    try {
      for (int i = 0; i < 200; i++) {
        store.begin().must(Turn.step("one"), new Event.Succeeded(Json.NULL));
      }
    } finally {
      writing.set(0);
    }
    reader.join();
  }
}
