package dev.pawl.cli.command;

import dev.pawl.cli.exec.Processes;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.time.Ticker;
import dev.pawl.work.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Brings a worker to rest: no new tasks, some time for those that run, an end for the others. */
record Drain(Worker worker, Processes processes, Session session) {
  private static final long LOOK_MILLIS = 20;

  void run(Duration patience, Duration killAfter) throws InterruptedException {
    worker.stopClaiming();
    if (worker.busy() == 0) {
      return;
    }
    session.note("finishing what runs, for at most " + TimeText.span(patience));
    session.terminal().flush();
    Ticker ticker = Ticker.system();
    long began = ticker.nanos();
    while (worker.busy() > 0 && ticker.since(began).compareTo(patience) < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    if (worker.busy() > 0) {
      session.note("ending what still runs; those runs are given back");
      session.terminal().flush();
      processes.stopAll(killAfter);
    }
  }
}
