package dev.pawl.doctor;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Decide;
import dev.pawl.store.Mail;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A row against its log and its mailbox: S1, S2, S5, S6, S9 and S10. Pure. What it says is only
 * true if nothing changed while the three were read.
 */
final class RowCheck {
  private final Run row;
  private final LogScan log;
  private final List<Mail> mail;
  private final Findings findings;

  private RowCheck(Run row, LogScan log, List<Mail> mail, Findings findings) {
    this.row = row;
    this.log = log;
    this.mail = mail;
    this.findings = findings;
  }

  static void check(Run row, LogScan log, List<Mail> mail, Findings findings) {
    new RowCheck(row, log, mail, findings).check();
  }

  private void check() {
    endsWithItsLog();
    log.fold().ifPresentOrElse(this::isTheFold, this::hasALog);
    if (row.status().isTerminal()) {
      holdsNothing();
    } else {
      holdsOneThing();
      countsItsMessages();
      isNotLeftWaiting();
    }
  }

  // ---- S5, S6 ----

  private void endsWithItsLog() {
    if (log.events() > 0 && log.isEnded() != row.status().isTerminal()) {
      findings.add(
          "S5",
          "it is "
              + row.status().word()
              + ", so its log should "
              + (log.isEnded() ? "not " : "")
              + "end with a terminal event; it ends at seq "
              + log.lastSeq()
              + (log.isEnded() ? " with one" : " without one"));
    }
  }

  private void hasALog() {
    if (log.events() == 0) {
      findings.add("S6", "it has a row, so it should have a log; there is none");
    }
  }

  /** Compares all but what the row knows and the log does not, and that as far as it can be. */
  private void isTheFold(Run fold) {
    Run expected =
        fold.change()
            .due(row.due())
            .lease(row.lease())
            .wakes(row.wakes())
            .wakeAfter(row.wakeAfter())
            .deletedAt(row.deletedAt())
            .run();
    if (!row.equals(expected)) {
      differences(expected).forEach(text -> findings.add("S6", text));
    }
    Optional<String> holder = fold.lease().map(Run.Lease::worker);
    if (!row.lease().map(Run.Lease::worker).equals(holder)) {
      findings.add("S6", differs("the holder of its lease", holder, row.lease()));
    }
    if (row.wakeAfter() < 0 || row.wakeAfter() > fold.wakeAfter()) {
      findings.add(
          "S6",
          differs("wakeAfter", "at most " + fold.wakeAfter(), String.valueOf(row.wakeAfter())));
    }
    boolean late =
        row.status() != Status.RUNNING
            && fold.due().filter(due -> row.due().orElse(Instant.MAX).isAfter(due)).isPresent();
    if (late) {
      findings.add("S6", differs("due", "at the latest " + fold.due().orElseThrow(), row.due()));
    }
  }

  private List<String> differences(Run expected) {
    List<String> texts = new ArrayList<>();
    for (RecordComponent part : Run.class.getRecordComponents()) {
      Object wanted = value(part, expected);
      Object found = value(part, row);
      if (!wanted.equals(found)) {
        texts.add(differs(part.getName(), wanted, found));
      }
    }
    return texts;
  }

  private static Object value(RecordComponent part, Run run) {
    try {
      return part.getAccessor().invoke(run);
    } catch (ReflectiveOperationException e) {
      throw PawlException.internal("a run's " + part.getName() + " cannot be read: " + e);
    }
  }

  private String differs(String what, Object wanted, Object found) {
    return "by its log up to seq "
        + log.lastSeq()
        + ", "
        + what
        + " should be "
        + Findings.show(wanted)
        + "; its row says "
        + Findings.show(found);
  }

  // ---- S1, S2 ----

  private void holdsNothing() {
    List<String> held = new ArrayList<>();
    row.lease().ifPresent(lease -> held.add("a lease of " + lease.worker()));
    row.due().ifPresent(due -> held.add("a due time, " + due));
    if (row.wakeAfter() != 0) {
      held.add("a wait for " + row.wakeAfter() + " messages");
    }
    if (!mail.isEmpty()) {
      held.add(mail.size() + " unread messages");
    }
    if (!held.isEmpty()) {
      findings.add(
          "S2", "it has " + row.status().word() + " and should hold nothing; it holds " + held);
    }
    if (row.finishedAt().isEmpty()) {
      findings.add("S2", "it is " + row.status().word() + ", but not known is since when");
    }
  }

  private void holdsOneThing() {
    boolean running = row.status() == Status.RUNNING;
    if (running != row.lease().isPresent()) {
      findings.add(
          "S1",
          running
              ? "it is running and should have a lease; it has none, so nobody will take it over"
              : "it is "
                  + row.status().word()
                  + " and should have no lease; it has "
                  + row.lease());
    } else if (running && !row.due().equals(row.lease().map(Run.Lease::until))) {
      findings.add(
          "S1",
          "it is running and should be due when its lease ends, "
              + row.lease().map(Run.Lease::until)
              + "; it is due at "
              + row.due());
    } else if (row.due().isEmpty() && !isWaiting()) {
      findings.add(
          "S1",
          "it is "
              + row.status().word()
              + " with neither a due time, a lease, nor a message that could wake it: it is stuck");
    }
  }

  /** Whether a message, or a person, can set it going. */
  private boolean isWaiting() {
    List<Wait> waits = log.suspension().map(wait -> wait.event().waits()).orElse(List.of());
    boolean forMessage = waits.stream().anyMatch(RowCheck::isForMessage);
    boolean forOperator = waits.stream().anyMatch(Wait.Operator.class::isInstance);
    return row.status() == Status.SUSPENDED && (forOperator || (row.wakeAfter() > 0 && forMessage));
  }

  private static boolean isForMessage(Wait wait) {
    return switch (wait) {
      case Wait.Signal signal -> true;
      case Wait.Topic topic -> true;
      case Wait.Child child -> true;
      case Wait.Timer timer -> false;
      case Wait.Operator operator -> false;
    };
  }

  // ---- S9 ----

  /** An end empties the mailbox, so of a run that was reopened only a lower limit is known. */
  private void countsItsMessages() {
    long known = log.consumed() + mail.size();
    if (row.wakes() < known || (row.wakes() > known && !log.isReopened())) {
      findings.add(
          "S9",
          "it has accepted "
              + row.wakes()
              + " messages, so as many should be consumed or waiting; "
              + log.consumed()
              + " are on record as consumed and "
              + mail.size()
              + " wait");
    }
  }

  // ---- S10 ----

  private void isNotLeftWaiting() {
    if (row.status() == Status.RUNNING) {
      return;
    }
    mail.stream()
        .filter(Mail.Cancel.class::isInstance)
        .findFirst()
        .ifPresent(request -> dueBy(request, "a request to cancel it"));
    log.suspension()
        .filter(wait -> row.status() == Status.SUSPENDED && wait.event().wakeAfter() > 0)
        .ifPresent(this::isNotLeftWaiting);
  }

  /**
   * Its program consumes what it finds and has use for, so whatever answers a wait came after the
   * claim.
   */
  private void isNotLeftWaiting(LogScan.Suspension wait) {
    List<Mail> answers =
        mail.stream()
            .filter(message -> !message.at().isBefore(wait.claimedAt()))
            .filter(answersOneOf(wait.event().waits()))
            .toList();
    answers.stream()
        .filter(RowCheck::isUrgent)
        .findFirst()
        .ifPresent(outcome -> dueBy(outcome, "the outcome of a child that did not succeed"));
    int needed = wait.event().wakeAfter();
    if (answers.size() >= needed) {
      dueBy(answers.get(needed - 1), needed + " of the messages it waits for");
    }
  }

  private static Predicate<Mail> answersOneOf(List<Wait> waits) {
    return message ->
        switch (message) {
          case Mail.Signal signal ->
              waits.stream()
                  .anyMatch(wait ->
                      wait instanceof Wait.Signal wanted && wanted.name().equals(signal.name()));
          case Mail.ChildOutcome outcome ->
              waits.stream()
                  .anyMatch(wait ->
                      wait instanceof Wait.Child wanted && wanted.child().equals(outcome.child()));
          case Mail.Topic event -> false;
          case Mail.Cancel cancel -> false;
        };
  }

  private static boolean isUrgent(Mail message) {
    return message instanceof Mail.ChildOutcome outcome && Decide.isUrgent(outcome.result());
  }

  /** Whoever brought the last message, or suspended the run after it, has made it due. */
  private void dueBy(Mail last, String what) {
    Instant bound = last.at().isAfter(row.updatedAt()) ? last.at() : row.updatedAt();
    if (row.due().orElse(Instant.MAX).isAfter(bound)) {
      findings.add(
          "S10",
          "it is "
              + row.status().word()
              + " with "
              + what
              + " in its mailbox, so it should be due since "
              + bound
              + "; "
              + row.due().map(due -> "it is due at " + due).orElse("it has no due time"));
    }
  }
}
