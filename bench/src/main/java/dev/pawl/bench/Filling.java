package dev.pawl.bench;

import dev.pawl.cli.bench.Subjects;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fills a store with runs that wait for a signal and as many that have ended, by the store's own
 * commands in large batches: what is there afterwards is what work would have left.
 */
final class Filling {
  private static final int BATCH = 1000;
  private static final Event SUSPENDED =
      new Event.Suspended(Optional.empty(), List.of(new Wait.Signal(0, "go")), 1, false, Json.NULL);
  private static final Event SUCCEEDED = new Event.Succeeded(Json.number(1));

  private final Store store;
  private long ticket;

  Filling(Store store) {
    this.store = store;
  }

  void fill(int each) {
    for (int done = 0; done < each; done += BATCH) {
      int count = Math.min(BATCH, each - done);
      batch(count, Subjects.SIGNAL.type(), SUSPENDED);
      batch(count, Subjects.TASK.type(), SUCCEEDED);
    }
  }

  private void batch(int count, String type, Event end) {
    List<Command> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NewRun run = NewRun.of(new RunId(Ids.next()), type, Json.number(1));
      starts.add(
          new Command.Start(
              run, Optional.of(new Command.Claimant("filling", Duration.ofMinutes(5), ++ticket))));
    }
    List<Command> ends = new ArrayList<>();
    for (Outcome outcome : store.commit(starts)) {
      if (!(outcome instanceof Outcome.Started started) || started.activation().isEmpty()) {
        throw new IllegalStateException("a run could not be started for filling: " + outcome);
      }
      Activation held = started.activation().get();
      ends.add(
          new Command.Advance(
              held.run().id(),
              held.run().epoch(),
              held.seq() + 1,
              held.run().wakes(),
              List.of(end)));
    }
    for (Outcome outcome : store.commit(ends)) {
      if (!(outcome instanceof Outcome.Advanced)) {
        throw new IllegalStateException("a run could not be ended for filling: " + outcome);
      }
    }
  }
}
