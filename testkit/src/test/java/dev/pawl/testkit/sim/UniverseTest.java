package dev.pawl.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** What happens in a universe does not depend on what happens around it. */
class UniverseTest {
  private static final long SECOND = 1_000_000_000;

  private final Object lock = new Object();
  private final AtomicReference<Thread> asking = new AtomicReference<>();
  private final List<String> said = new ArrayList<>();

  /** Somebody asks for the lock while others move and time passes; returns what came of it. */
  private String play() {
    said.clear();
    Universe universe = new Universe(new Dice(3));
    List<Throwable> died = new ArrayList<>();
    Host host = new Host(universe, 1, new Dice(4), died::add);
    host.start("first", () -> say(host, "first"));
    host.start(
        "asking",
        () -> {
          asking.set(Thread.currentThread());
          synchronized (lock) {
            say(host, "asking");
          }
          say(host, "free");
        });
    host.start("last", () -> say(host, "last"));
    boolean moving = true;
    while (moving) {
      moving = universe.step();
    }
    assertThat(died).isEmpty();
    return said + " " + universe.moves() + " " + universe.nanos() + " " + universe.trace();
  }

  private void say(Host host, String what) {
    said.add(what);
    if (!Thread.holdsLock(lock)) {
      host.sleep(SECOND);
    }
  }

  @Test
  void aLockThatSomebodyOutsideHoldsChangesNothing() throws InterruptedException {
    String undisturbed = play();
    asking.set(null);
    CountDownLatch held = new CountDownLatch(1);
    Thread outside =
        Thread.ofPlatform()
            .start(() -> {
              synchronized (lock) {
                held.countDown();
                Await.until("the simulated thread wants the lock", this::isWanted);
              }
            });
    held.await();
    String disturbed = play();
    outside.join();
    assertThat(disturbed).isEqualTo(undisturbed);
    assertThat(said).containsOnlyOnce("first", "asking", "free", "last");
  }

  private boolean isWanted() {
    Thread thread = asking.get();
    return thread != null && thread.getState() == Thread.State.BLOCKED;
  }

  @Test
  void aThreadThatIsWokenFromOutsideIsReported() throws InterruptedException {
    Universe universe = new Universe(new Dice(3));
    Host host = new Host(universe, 1, new Dice(4), error -> {});
    host.start(
        "waiting",
        () -> {
          asking.set(Thread.currentThread());
          LockSupport.park(this);
        });
    assertThat(universe.step()).isTrue();
    Thread.ofPlatform().start(() -> LockSupport.unpark(asking.get())).join();
    assertThatThrownBy(universe::step)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a thread of host 1 was woken by somebody outside")
        .hasMessageContaining("UniverseTest.lambda$aThreadThatIsWokenFromOutsideIsReported");
  }
}
