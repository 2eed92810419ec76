package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.LogLine;
import dev.pawl.cli.json.EventJson;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** {@code pawl log}. */
final class Log implements Command {
  private static final int PAGE = 500;
  private static final long LOOK_MILLIS = 500;

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "log", "Print a run's log: one line per event. The log is the truth about a run.")
        .parameter("RUN", RUN_HELP)
        .flag("--follow -f", "Go on with what is appended, until the run ends")
        .option("--after", "SEQ", "Only what comes behind this number")
        .notes(
            """
            Examples:
              pawl log last --follow
              pawl log key:order-17 --json | jq -r .kind

            JSON, one object per event: {"seq", "at", "epoch", "kind", "data"}.
            """);
  }

  @Override
  public int run(Session session, Arguments given) throws InterruptedException {
    int after = given.number("--after", 0, Integer.MAX_VALUE).orElse(0);
    try (Pawl pawl = session.open()) {
      RunId id = RunAddress.find(pawl, given.parameter("RUN")).id();
      Semaphore news = new Semaphore(0);
      pawl.store().listen(hint -> news.release());
      Printer printer = new Printer(session, pawl, id, after);
      boolean ended = printer.printNew();
      while (given.has("--follow") && !ended && !session.out().checkError()) {
        news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        news.drainPermits();
        ended = printer.printNew();
      }
    }
    return ExitCode.OK;
  }

  /** Prints entries, each once. */
  private static final class Printer {
    private final Session session;
    private final Pawl pawl;
    private final RunId run;
    private long after;

    Printer(Session session, Pawl pawl, RunId run, long after) {
      this.session = session;
      this.pawl = pawl;
      this.run = run;
      this.after = after;
    }

    /**
     * Prints what is new, page by page, as long as somebody reads it; returns whether the run has
     * ended.
     */
    boolean printNew() {
      boolean ended = pawl.get(run).status().isTerminal();
      List<Entry> page = pawl.store().log(run, after, PAGE);
      while (!page.isEmpty()) {
        page.forEach(this::print);
        after = page.getLast().seq();
        ended |= page.getLast().event() instanceof Event.Terminal;
        page = session.out().checkError() ? List.of() : pawl.store().log(run, after, PAGE);
      }
      session.out().flush();
      return ended;
    }

    private void print(Entry entry) {
      if (session.isJson()) {
        session.print(EventJson.of(entry));
      } else {
        session.out().println(LogLine.of(entry, session.paint()));
      }
    }
  }
}
