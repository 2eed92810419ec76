package dev.pawl.examples;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.log.Status;
import dev.pawl.work.CancelledException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class CancelTest {
  @TempDir private Path directory;
  private final Lab lab = new Lab();

  @Test
  void aCancelledJobGivesItsMachineBack() throws InterruptedException {
    Flow<String, String> job = Cancel.job(lab);
    try (Pawl pawl = open(job)) {
      RunHandle<String> run = pawl.start(job, "simulation");
      lab.rented.await();
      run.cancel("no longer needed");
      assertThatThrownBy(() -> run.result(ofSeconds(15)))
          .isInstanceOf(CancelledException.class)
          .hasMessageContaining("no longer needed");
      assertThat(run.run().status()).isEqualTo(Status.CANCELLED);
      assertThat(lab.done).containsExactly("rent", "give back machine 1");
    }
  }

  @Test
  void soDoesAFinishedOne() {
    Flow<String, String> job = Cancel.job(lab);
    try (Pawl pawl = open(job)) {
      RunHandle<String> run = pawl.start(job, "simulation");
      run.signal("done", "42");
      assertThat(run.result(ofSeconds(10))).isEqualTo("42");
      assertThat(lab.done).containsExactly("rent", "give back machine 1");
    }
  }

  private Pawl open(Flow<String, String> job) {
    Pawl pawl = Pawl.open("sqlite:" + directory.resolve("lab.db"));
    pawl.register(job).work();
    return pawl;
  }

  private static final class Lab implements Cancel.Machines {
    final List<String> done = new CopyOnWriteArrayList<>();
    final CountDownLatch rented = new CountDownLatch(1);

    @Override
    public String rent() {
      done.add("rent");
      rented.countDown();
      return "machine 1";
    }

    @Override
    public void giveBack(String machine) {
      done.add("give back " + machine);
    }
  }
}
