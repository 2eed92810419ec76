package dev.pawl.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.commit.GroupCommit;
import dev.pawl.json.Json;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Query;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.ManualClock;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a worker clears away, and how it keeps up. */
class SweepingTest {
  private final ManualClock clock = new ManualClock();
  private final MemoryStore store = new MemoryStore(clock);
  private final GroupCommit commits = new GroupCommit(store);
  private final AtomicLong nanos = new AtomicLong();
  private final Sweeping sweeping = new Sweeping(store, store.blobs(), commits, () -> nanos.get());

  @AfterEach
  void close() {
    commits.close();
    store.close();
  }

  private void endRuns(int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NewRun run =
          NewRun.of(new RunId(Ids.next()), "brief.v1", Json.NULL).withTtl(Duration.ofSeconds(1));
      commands.add(new Command.Start(run));
      commands.add(new Command.Cancel(run.id(), "enough", false));
    }
    store.commit(commands);
    clock.advance(Duration.ofSeconds(1));
  }

  private int left() {
    return store.list(Query.all().withLimit(Query.MAX_LIMIT)).size();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void whatIsOldGoesWhenItIsTimeAndNotBefore() {
    endRuns(3);
    pass(Duration.ofMinutes(10));
    sweeping.sweepIfDue();
    assertThat(left()).isEqualTo(3);

    pass(Duration.ofMillis(1));
    sweeping.sweepIfDue();
    assertThat(left()).isZero();
  }

  @Test
  void moreThanOneShareGoesAtOnceAndWhatIsLeftTheNextTime() {
    endRuns(2100);
    pass(Duration.ofMinutes(11));
    sweeping.sweepIfDue();
    assertThat(left()).isEqualTo(100);

    sweeping.sweepIfDue();
    assertThat(left()).isZero();

    endRuns(1);
    sweeping.sweepIfDue();
    assertThat(left()).isEqualTo(1);
  }
}
