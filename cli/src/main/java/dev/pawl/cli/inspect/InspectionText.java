package dev.pawl.cli.inspect;

import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Table.Cell;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.json.Json;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Mail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tells a person about a run: first how it stands and why, then what happened. */
public final class InspectionText {
  private static final int SHOWN_TURNS = 10;
  private static final int SHORT_CHARS = 400;
  private static final int LABEL_WIDTH = 10;

  private final Inspection facts;
  private final Run run;
  private final Instant now;
  private final Paint paint;
  private final boolean full;
  private final List<String> lines = new ArrayList<>();

  private InspectionText(Inspection facts, Paint paint, boolean full) {
    this.facts = facts;
    this.run = facts.run();
    this.now = facts.now();
    this.paint = paint;
    this.full = full;
  }

  /**
   * The lines to print.
   *
   * @param full whether payload, result and errors are shown whole
   */
  public static List<String> of(Inspection facts, Paint paint, boolean full) {
    InspectionText text = new InspectionText(facts, paint, full);
    text.standing();
    text.origin();
    text.values();
    text.error();
    text.steps();
    text.children();
    text.turns();
    text.unread();
    return text.lines;
  }

  private void standing() {
    line("run", paint.apply(Tone.STRONG, run.id().toString()));
    line("type", Text.oneLine(run.type()));
    String status = paint.apply(Gist.tone(run.status()), run.status().word());
    String since = run.status().isTerminal() ? "" : " since " + when(facts.since());
    line("status", status + since);
    why();
    run.cancelling().ifPresent(reason -> line("cancel", "requested" + spaced(reason)));
    run.deletedAt().ifPresent(at -> line("deleted", when(at)));
    line("attempt", run.attempt() + " of " + run.maxAttempts());
    run.deadline().ifPresent(at -> line("deadline", when(at)));
    run.ttl().ifPresent(kept -> line("ttl", ttl(kept)));
  }

  private String ttl(Duration kept) {
    String span = TimeText.span(kept);
    return run.expiry().map(at -> span + ", over " + when(at)).orElse(span + " from its end");
  }

  /** What the run waits for, which is what a person with a stuck run wants to know first. */
  private void why() {
    switch (run.status()) {
      case PENDING -> pending();
      case RUNNING -> run.lease().ifPresent(this::leased);
      case SUSPENDED -> suspended();
      case SUCCEEDED, FAILED, CANCELLED ->
          line("ended", run.finishedAt().map(this::when).orElse(""));
    }
  }

  private void pending() {
    Instant due = run.due().orElse(now);
    if (facts.paused()) {
      warn("waits", "its type is paused; 'pawl resume " + run.type() + "' lets it go on");
    } else if (due.isAfter(now)) {
      line("due", when(due));
    } else {
      line("waits", "for a worker that handles " + run.type() + ", since " + when(due));
    }
  }

  private void leased(Run.Lease lease) {
    if (lease.until().isBefore(now)) {
      line("worker", lease.worker());
      warn(
          "lease",
          "expired "
              + TimeText.relative(lease.until(), now)
              + ": that worker is gone or stalled; the next free worker for "
              + run.type()
              + " takes the run over");
    } else {
      line("worker", lease.worker() + ", leased until " + when(lease.until()));
    }
  }

  private void suspended() {
    boolean woken = run.due().isPresent() && !run.due().get().isAfter(now);
    if (facts.paused()) {
      warn("waits", "its type is paused; 'pawl resume " + run.type() + "' lets it go on");
    } else if (woken) {
      line("waits", "for a worker that handles " + run.type() + ", woken " + when(run.due().get()));
    }
    for (Wait wait : facts.waits()) {
      line(woken ? "waited" : "waits", Gist.wait(wait, now));
    }
    run.due().filter(due -> due.isAfter(now)).ifPresent(due -> line("due", when(due)));
  }

  private void origin() {
    line("created", when(run.createdAt()));
    run.key().ifPresent(key -> line("key", Text.oneLine(key)));
    if (run.priority() != 100) {
      line("priority", Integer.toString(run.priority()));
    }
    run.tags().forEach((name, value) -> line("tag", Text.oneLine(name + "=" + value)));
    run.parent().ifPresent(parent -> line("parent", parent.toString()));
    run.forkedFrom().ifPresent(from -> line("fork of", from.toString()));
    run.finishedAt()
        .ifPresent(at -> line("took", TimeText.span(Duration.between(run.createdAt(), at))));
  }

  private void values() {
    line("payload", value(run.payload()));
    run.result().ifPresent(result -> line("result", value(result)));
  }

  private String value(Json json) {
    return full ? json.text() : Text.shorten(json.text(), SHORT_CHARS);
  }

  private void error() {
    Optional<Failure> error = run.status() == Status.SUCCEEDED ? Optional.empty() : run.lastError();
    error.ifPresent(failure -> failure("error", failure));
  }

  private void failure(String label, Failure failure) {
    String name = failure.source().name();
    String where = name.isEmpty() || name.equals(run.type()) ? "" : " (in " + name + ")";
    line(label, paint.apply(Tone.BAD, message(failure.summary()) + where));
    if (!failure.data().isNull()) {
      line("", "data " + value(failure.data()));
    }
    if (full && !failure.stack().isEmpty()) {
      failure.stack().lines().forEach(frame -> line("", Text.harmless(frame)));
    }
    failure.cause().ifPresent(cause -> failure("cause", cause));
  }

  private String message(String text) {
    return full ? Text.oneLine(text) : Gist.message(text);
  }

  private void steps() {
    Table table = new Table("STEP", "STATE", "ATTEMPT", "TOOK", "AT", "RESULT");
    for (Step step : facts.steps()) {
      table.row(
          Cell.of(Text.oneLine(step.label())),
          state(step.state()),
          Cell.of(Integer.toString(step.attempt())),
          Cell.of(step.took().map(TimeText::span).orElse("")),
          Cell.faint(TimeText.local(step.at())),
          Cell.of(outcome(step)));
    }
    section("steps", table);
  }

  private static Cell state(Step.State state) {
    return switch (state) {
      case COMPLETED -> new Cell("completed", Tone.GOOD);
      case RETRYING -> new Cell("retrying", Tone.WARNING);
      case FAILED -> new Cell("failed", Tone.BAD);
    };
  }

  private String outcome(Step step) {
    String error = step.failure().map(failure -> message(failure.summary())).orElse("");
    String retry =
        step.retryAt().map(at -> "; next attempt " + TimeText.relative(at, now)).orElse("");
    return step.value().map(Gist::value).orElse(error + retry);
  }

  private void children() {
    Table table = new Table("CHILD", "STATUS", "TYPE", "STARTED");
    for (Inspection.Child child : facts.children()) {
      table.row(
          Cell.of(child.id().toString()),
          new Cell(child.status(), childTone(child.status())),
          Cell.of(Text.oneLine(child.type())),
          Cell.faint(TimeText.relative(child.startedAt(), now)));
    }
    section("children", table);
  }

  private static Tone childTone(String status) {
    return status.equals("gone") ? Tone.FAINT : Gist.tone(Status.parse(status));
  }

  private void turns() {
    List<Turn> turns = facts.turns();
    int hidden = full ? 0 : Math.max(0, turns.size() - SHOWN_TURNS);
    Table table = new Table("ATTEMPT", "BEGAN", "TOOK", "END", "WORKER", "ERROR");
    for (Turn turn : turns.subList(hidden, turns.size())) {
      table.row(
          Cell.of(turn.attempt() + (turn.resumed() ? " resumed" : "")),
          Cell.faint(TimeText.localMillis(turn.began())),
          Cell.of(TimeText.span(Duration.between(turn.began(), turn.ended().orElse(now)))),
          end(turn),
          Cell.of(turn.worker()),
          Cell.of(turn.failure().map(failure -> message(failure.summary())).orElse("")));
    }
    section(hidden == 0 ? "turns" : "turns (the last " + SHOWN_TURNS + "; --full for all)", table);
  }

  private Cell end(Turn turn) {
    return switch (turn.end()) {
      case "" -> new Cell("running", Tone.BUSY);
      case "succeeded" -> new Cell(turn.end(), Tone.GOOD);
      case "failed", "lease lost" -> new Cell(turn.end(), Tone.BAD);
      case "suspended" -> new Cell(turn.end(), Tone.WAITING);
      default -> new Cell(turn.end(), Tone.WARNING);
    };
  }

  private void unread() {
    Table table = new Table("MESSAGE", "NAME", "ARRIVED", "VALUE");
    for (Mail mail : facts.unread()) {
      Cell at = Cell.faint(TimeText.relative(mail.at(), now));
      switch (mail) {
        case Mail.Signal m ->
            table.row(Cell.of("signal"), Cell.of(m.name()), at, Cell.of(Gist.value(m.value())));
        case Mail.ChildOutcome m ->
            table.row(Cell.of("child"), Cell.of(m.child().toString()), at, Cell.of(""));
        case Mail.Cancel m ->
            table.row(Cell.of("cancel"), Cell.of(""), at, Cell.of(Gist.message(m.reason())));
        case Mail.Topic m ->
            table.row(Cell.of("event"), Cell.of(m.topic()), at, Cell.of(Gist.value(m.value())));
      }
    }
    section("unread messages", table);
  }

  private void section(String title, Table table) {
    if (!table.isEmpty()) {
      lines.add("");
      lines.add(paint.apply(Tone.STRONG, title));
      lines.addAll(table.lines("  ", paint));
    }
  }

  private void line(String label, String text) {
    String padded = label + " ".repeat(LABEL_WIDTH - label.length());
    lines.add(paint.apply(Tone.FAINT, padded) + text);
  }

  private void warn(String label, String text) {
    line(label, paint.apply(Tone.WARNING, text));
  }

  private String when(Instant moment) {
    return TimeText.localAndRelative(moment, now);
  }

  private static String spaced(String text) {
    return text.isEmpty() ? "" : ": " + Text.oneLine(text);
  }
}
