package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Violation;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.postgres.PostgresNode;
import dev.pawl.testkit.postgres.PostgresServer;
import dev.pawl.work.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A primary dies, its synchronous standby takes over: nothing acknowledged is lost. */
@Timeout(300)
class PostgresFailoverTest {
  private static final Task<Integer, Integer> TASK =
      Task.of("failover.task.v1", Integer.class, Integer.class, number -> number + 1);

  @TempDir Path directory;

  @Test
  void whatWasAcknowledgedSurvivesThePrimaryAndWorkersGoOn() throws Exception {
    try (PostgresNode primary = PostgresNode.create(directory.resolve("primary"))) {
      PostgresServer.execute(primary.url("postgres"), "CREATE DATABASE failover");
      try (PostgresNode standby = primary.createStandby(directory.resolve("standby"))) {
        String url =
            "postgres://postgres:postgres@localhost:"
                + primary.port()
                + ",localhost:"
                + standby.port()
                + "/failover?targetServerType=primary";
        try (Pawl pawl = Pawl.open(url)) {
          pawl.register(TASK);
          pawl.work(worker -> worker.lease(Duration.ofSeconds(3)));
          AtomicBoolean enough = new AtomicBoolean();
          AtomicInteger count = new AtomicInteger();
          CompletableFuture<List<RunId>> started =
              CompletableFuture.supplyAsync(() -> startUntil(pawl, enough, count));
          Await.until("some work is done", () -> count.get() > 300);
          primary.kill();
          standby.promote();
          int atFailover = count.get();
          Await.until("work goes on at the standby", () -> count.get() > atFailover + 300);
          enough.set(true);
          List<RunId> acknowledged = started.get(1, TimeUnit.MINUTES);

          for (RunId run : acknowledged) {
            assertThat(pawl.handle(run).result(Duration.ofMinutes(1))).isNotNull();
            assertThat(pawl.get(run).status()).isEqualTo(Status.SUCCEEDED);
          }
          List<Violation> found = new ArrayList<>();
          Doctor.check(pawl.store(), found::add);
          assertThat(found).isEmpty();
        }
      }
    }
  }

  /** Starts one task after the other, each until it is acknowledged. */
  private static List<RunId> startUntil(Pawl pawl, AtomicBoolean enough, AtomicInteger count) {
    List<RunId> acknowledged = new ArrayList<>();
    while (!enough.get()) {
      int number = acknowledged.size();
      try {
        acknowledged.add(pawl.start(TASK, number, o -> o.key("n" + number).maxAttempts(1000)).id());
        count.incrementAndGet();
      } catch (PawlException unavailable) {
        // Neither server takes writes at the moment: the same key again.
      }
    }
    return acknowledged;
  }
}
