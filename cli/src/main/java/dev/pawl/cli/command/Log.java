package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.json.EventJson;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.RunId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "log",
    description = "Print a run's log: one line per event. The log is the truth about a run.",
    footer = {
      "",
      "Examples:",
      "  pawl log last --follow          until the run ends",
      "  pawl log key:order-17 --json | jq -r .kind",
      "",
      "JSON: {\"seq\", \"at\", \"epoch\", \"kind\", \"data\"} per event."
    })
final class Log implements Callable<Integer> {
  private static final int PAGE = 500;
  private static final long LOOK_MILLIS = 500;

  private final Session session;

  @Parameters(
      paramLabel = "RUN",
      description = "An id, its last 6 or more characters, key:KEY, or last.")
  private String run = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with what is appended, until the run ends.")
  private boolean follow;

  @Option(
      names = "--after",
      paramLabel = "SEQ",
      description = "Only what comes behind this number.")
  private long after;

  Log(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws InterruptedException {
    try (Pawl pawl = session.open()) {
      RunId id = RunAddress.find(pawl, run).id();
      Semaphore news = new Semaphore(0);
      pawl.store().listen(hint -> news.release());
      boolean ended = printNew(pawl, id);
      while (follow && !ended && !session.out().checkError()) {
        news.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        news.drainPermits();
        ended = printNew(pawl, id);
      }
    }
    return ExitCode.OK;
  }

  /** Prints what is new; returns whether the run has ended. */
  private boolean printNew(Pawl pawl, RunId id) {
    boolean ended = pawl.get(id).status().isTerminal();
    List<Entry> page = pawl.store().log(id, after, PAGE);
    while (!page.isEmpty()) {
      page.forEach(this::print);
      after = page.getLast().seq();
      ended |= page.getLast().event() instanceof Event.Terminal;
      page = pawl.store().log(id, after, PAGE);
    }
    session.out().flush();
    return ended;
  }

  private void print(Entry entry) {
    if (session.isJson()) {
      session.print(EventJson.of(entry));
      return;
    }
    String kind = EventCodec.kind(entry.event());
    session
        .out()
        .println(
            "%4d  %s  %s  %s"
                .formatted(
                    entry.seq(),
                    session.paint().apply(Tone.FAINT, TimeText.localMillis(entry.at())),
                    session.paint().apply(Gist.tone(entry.event()), "%-15s".formatted(kind)),
                    Gist.of(entry.event(), entry.at()))
                .stripTrailing());
  }
}
