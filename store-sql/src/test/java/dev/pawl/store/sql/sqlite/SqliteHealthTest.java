package dev.pawl.store.sql.sqlite;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.store.Store;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.Task;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The doctor finds nothing wrong with a file that two engines are at work on. */
@Timeout(60)
class SqliteHealthTest {
  private static final Task<String, String> ECHO =
      Task.of("test.echo.v1", String.class, String.class, in -> in);

  private static final Flow<String, String> FLOW =
      Flow.define(
          "test.flow.v1",
          String.class,
          String.class,
          (ctx, in) -> {
            ctx.step("first", () -> {});
            List<Promise<String>> children =
                IntStream.range(0, 3).mapToObj(i -> ctx.child(ECHO, in + i)).toList();
            ctx.all(children).await();
            ctx.sleep(ofMillis(5));
            return ctx.awaitSignal("go", String.class);
          });

  @TempDir Path directory;

  private Store open() {
    return SqliteStore.open(directory.resolve("store.db"), SqliteOptions.defaults());
  }

  @Test
  void aBusyFileIsHealthyAtEveryMoment() {
    try (Store store = open();
        Pawl one = Pawl.open(open()).register(ECHO).register(FLOW);
        Pawl two = Pawl.open(open()).register(ECHO).register(FLOW)) {
      one.work(worker -> worker.lease(ofSeconds(2)));
      two.work(worker -> worker.lease(ofSeconds(2)));
      List<String> inputs = IntStream.range(0, 60).mapToObj(i -> "in" + i).toList();
      List<RunHandle<String>> runs = one.startAll(FLOW, inputs);
      for (RunHandle<String> run : runs) {
        two.signal(run.id(), "go", "!");
      }
      while (runs.stream().anyMatch(run -> !one.get(run.id()).status().isTerminal())) {
        Invariants.check(store);
      }
      runs.forEach(run -> assertThat(run.result(ofSeconds(20))).isEqualTo("!"));
      Invariants.check(store);
    }
  }
}
