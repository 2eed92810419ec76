package dev.pawl.store.sql.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.commit.GroupCommit;
import dev.pawl.flow.Flow;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.work.Worker;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What flows cost that do nothing but wait. */
@Timeout(300)
class SqliteSuspendedTest {
  private static final int FLOWS = 100_000;
  private static final int CACHE = 1000;
  private static final int PORTION = 5000;
  private static final long MAX_BYTES = 1024;

  @TempDir Path directory;

  @Test
  void suspendedFlowsCostNeitherMemoryNorTime() {
    Flow<String, String> flow =
        Flow.define(
            "sqlite.waiter.v1",
            String.class,
            String.class,
            (ctx, in) -> in + ctx.awaitSignal("go", String.class));
    SqliteStore store =
        SqliteStore.open(
            directory.resolve("store.db"),
            SqliteOptions.defaults().synchronous(SqliteOptions.Synchronous.NORMAL));
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(flow);
      Worker worker = pawl.work(w -> w.poll(Duration.ofDays(1)).concurrency(256));
      RunId first = suspend(pawl, worker, flow, 2 * CACHE);
      long before = usedHeap();
      for (int i = 0; i < FLOWS / PORTION; i++) {
        suspend(pawl, worker, flow, PORTION);
      }
      long perFlow = (usedHeap() - before) / FLOWS;
      assertThat(perFlow).as("bytes of heap for each suspended flow").isLessThan(MAX_BYTES);
      Await.until("a second passes in which nothing is done for them", () -> isQuiet(pawl, store));
      pawl.signal(first, "go", "!");
      assertThat(pawl.handle(first).result(Duration.ofSeconds(30)).text()).isEqualTo("\"in!\"");
    }
  }

  /** Whether nothing is committed in a second: the worker looks less and less often. */
  private static boolean isQuiet(Pawl pawl, SqliteStore store) {
    GroupCommit.Totals before = pawl.commits().totals();
    Instant later = store.now().plusSeconds(1);
    Await.until("a second passes", () -> store.now().isAfter(later));
    return pawl.commits().totals().equals(before);
  }

  private static RunId suspend(Pawl pawl, Worker worker, Flow<String, String> flow, int count) {
    List<RunHandle<String>> runs = pawl.startAll(flow, Collections.nCopies(count, "in"));
    Await.until(
        "they are suspended",
        () ->
            worker.isIdle()
                && pawl.counts().stream().allMatch(each -> each.status() == Status.SUSPENDED));
    return runs.get(0).id();
  }

  /** The heap in use when the collector has had its say: the least of a few looks. */
  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
