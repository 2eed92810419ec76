package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.session.Session;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Routes;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Tells what happens to a run while it happens. */
final class RunProgress {
  private static final long LOOK_MILLIS = 200;
  private static final int PAGE = 500;

  private final Session session;
  private final Pawl pawl;
  private final RunId run;
  private final Routes handled;
  private final Live live;
  private final boolean alone;
  private final boolean quiet;
  private final Ticker ticker = Ticker.system();
  private long after;

  /**
   * Progress of a run.
   *
   * @param handled the types that something here carries out
   * @param live draws where the run stands, if it can
   * @param alone whether nobody else can carry anything out
   */
  RunProgress(
      Session session,
      Pawl pawl,
      RunId run,
      Routes handled,
      Live live,
      boolean alone,
      boolean quiet) {
    this.session = session;
    this.pawl = pawl;
    this.run = run;
    this.handled = handled;
    this.live = live;
    this.alone = alone;
    this.quiet = quiet;
  }

  /** Follows the run; returns whether it has ended, and not the time limit or the process. */
  boolean follow(Optional<Duration> limit, StopSignal stop) throws InterruptedException {
    long began = ticker.nanos();
    Semaphore news = new Semaphore(0);
    pawl.store().listen(hint -> news.release());
    boolean ended = tellNew();
    while (!ended && !stop.isAsked() && !isOver(limit, began)) {
      boolean unused = news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      news.drainPermits();
      ended = tellNew();
      draw();
    }
    if (ended && !quiet) {
      live.finish(pawl, run);
    }
    return ended;
  }

  private void draw() {
    if (!quiet) {
      live.draw(run);
    }
  }

  private boolean isOver(Optional<Duration> limit, long began) {
    return limit.filter(most -> ticker.since(began).compareTo(most) >= 0).isPresent();
  }

  private boolean tellNew() {
    boolean ended = false;
    List<Entry> page = pawl.store().log(run, after, PAGE);
    while (!page.isEmpty()) {
      page.forEach(this::tell);
      after = page.getLast().seq();
      ended = page.getLast().event() instanceof Event.Terminal;
      page = pawl.store().log(run, after, PAGE);
    }
    session.err().flush();
    return ended;
  }

  private void tell(Entry entry) {
    if (entry.event() instanceof Event.ChildStarted child && !handled.matches(child.type())) {
      unhandled(child.type());
    }
    if (!quiet && isTelling(entry.event())) {
      live.tell(entry);
    }
  }

  private static boolean isTelling(Event event) {
    return switch (event) {
      case Event.Created e -> false;
      case Event.Leased e -> false;
      case Event.Pinned e -> false;
      case Event.Terminal e -> false;
      default -> true;
    };
  }

  private void unhandled(String type) {
    String what =
        "nothing here does '"
            + type
            + "': add --exec '"
            + type
            + "=COMMAND' or an answer in --mocks FILE, or for a program --with FILE";
    if (alone) {
      throw CommandException.usage(what);
    }
    session.note(what + "; waiting for another worker");
  }
}
