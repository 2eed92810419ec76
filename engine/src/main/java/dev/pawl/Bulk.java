package dev.pawl;

import dev.pawl.commit.GroupCommit;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.work.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Many runs that are started with one call. Where this process has a worker they are handed in
 * window by window, as it gets room for them: those it has room for are leased to it as they are
 * recorded, and the others would have to be claimed. Nobody waits for a worker that is slow, and
 * who has waited in vain does so again only after many more windows. Used by one thread.
 */
final class Bulk {
  private static final int WINDOW = 512;

  /** How many may be on their way to the store at once, if there is a worker. */
  private static final int MOST_UNDER_WAY = 4 * WINDOW;

  /** For how many it is not waited after the first time in vain; each time for twice as many. */
  private static final int FIRST_PAUSE = 8 * WINDOW;

  private final GroupCommit commits;
  private final @Nullable Worker worker;
  private final List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
  private int pause = FIRST_PAUSE;
  private int nextWait = WINDOW;

  /**
   * None are started yet.
   *
   * @param worker that of this process
   */
  Bulk(GroupCommit commits, @Nullable Worker worker) {
    this.commits = commits;
    this.worker = worker;
  }

  /** Hands in one more. */
  void start(NewRun run) {
    if (worker == null) {
      outcomes.add(commits.submit(new Command.Start(run)));
    } else {
      int before = outcomes.size();
      if (before > 0 && before % WINDOW == 0) {
        awaitRoom(worker, before);
      }
      outcomes.add(worker.start(run));
    }
  }

  private void awaitRoom(Worker here, int before) {
    if (before >= MOST_UNDER_WAY) {
      awaitEnd(outcomes.get(before - MOST_UNDER_WAY + WINDOW - 1));
    }
    if (before >= nextWait && !here.awaitRoom(WINDOW)) {
      nextWait = before + pause;
      pause *= 2;
    }
  }

  /** Waits for a start, whatever comes of it: whoever asks for its outcome is told. */
  private static void awaitEnd(CompletableFuture<Outcome> start) {
    start.handle((outcome, problem) -> true).join();
  }

  /**
   * What came of each of them, in order; of those that failed it is thrown when it is asked for.
   */
  List<CompletableFuture<Outcome>> outcomes() {
    return outcomes;
  }
}
