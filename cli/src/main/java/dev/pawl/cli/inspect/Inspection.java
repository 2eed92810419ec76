package dev.pawl.cli.inspect;

import dev.pawl.Pawl;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Mail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything there is to know about a run at one moment.
 *
 * @param now the store's clock
 * @param paused whether its type is paused
 * @param unread what lies in its mailbox
 */
public record Inspection(
    Run run,
    List<Entry> log,
    List<Child> children,
    List<Mail> unread,
    boolean paused,
    Instant now) {

  /** A child and what became of it. */
  public record Child(RunId id, String type, String status, Instant startedAt) {}

  public static Inspection of(Pawl pawl, Run run) {
    List<Entry> log = pawl.log(run.id());
    boolean paused =
        pawl.types().stream().anyMatch(t -> t.type().equals(run.type()) && !t.enabled());
    return new Inspection(
        run,
        log,
        children(pawl, History.of(log)),
        pawl.store().mail(run.id()),
        paused,
        pawl.store().now());
  }

  private static List<Child> children(Pawl pawl, History history) {
    Map<RunId, Child> all = new LinkedHashMap<>();
    for (Entry entry : history.entries()) {
      if (entry.event() instanceof Event.ChildStarted started) {
        String status = pawl.find(started.child()).map(c -> c.status().word()).orElse("gone");
        all.put(started.child(), new Child(started.child(), started.type(), status, entry.at()));
      }
    }
    return List.copyOf(all.values());
  }

  /** What it waits for, if it is suspended. */
  public List<Wait> waits() {
    return suspension().map(Event.Suspended::waits).orElse(List.of());
  }

  private Optional<Event.Suspended> suspension() {
    if (run.status() != Status.SUSPENDED) {
      return Optional.empty();
    }
    return log.reversed().stream()
        .map(Entry::event)
        .filter(Event.Suspended.class::isInstance)
        .map(Event.Suspended.class::cast)
        .findFirst();
  }

  /** Since when it is in the state it is in. */
  public Instant since() {
    return log.reversed().stream()
        .filter(entry -> entry.event() instanceof Event.Lifecycle)
        .map(Entry::at)
        .findFirst()
        .orElse(run.createdAt());
  }

  /** The steps that still count, in the order in which they were first recorded. */
  public List<Step> steps() {
    Map<String, Step> steps = new LinkedHashMap<>();
    for (Entry entry : History.of(log).entries()) {
      if (entry.event() instanceof Event.StepCompleted done) {
        steps.put(label(done.name(), done.n()), Step.completed(done, entry.at()));
      } else if (entry.event() instanceof Event.StepFailed failed) {
        steps.put(label(failed.name(), failed.n()), Step.failed(failed, entry.at()));
      }
    }
    return List.copyOf(steps.values());
  }

  /** A step as people name it: {@code charge}, and {@code charge#1} the second time. */
  static String label(String name, int n) {
    return n == 0 ? name : name + "#" + n;
  }

  /** Every turn that was ever claimed, with how it ended. */
  public List<Turn> turns() {
    List<Turn> turns = new ArrayList<>();
    Optional<Turn> open = Optional.empty();
    for (Entry entry : log) {
      if (entry.event() instanceof Event.Leased leased) {
        open.map(turn -> turn.lostAt(entry.at())).ifPresent(turns::add);
        open = Optional.of(Turn.begun(leased, entry.at()));
      } else if (entry.event() instanceof Event.TurnEnd || entry.event() instanceof Event.Rewound) {
        open.map(turn -> turn.endedBy(entry.event(), entry.at())).ifPresent(turns::add);
        open = Optional.empty();
      }
    }
    open.ifPresent(turns::add);
    return turns;
  }
}
