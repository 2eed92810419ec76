package dev.pawl.store.memory;

import dev.pawl.error.PawlException;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The commands of one batch, carried out at one moment. */
final class Transaction {
  private final Tables tables;
  private final Instant now;
  private final List<Hint> hints;
  private final Claims claims;

  Transaction(Tables tables, Instant now, List<Hint> hints) {
    this.tables = tables;
    this.now = now;
    this.hints = hints;
    this.claims = new Claims(tables, now);
  }

  Outcome apply(Command command) {
    return switch (command) {
      case Command.Start start -> start(start);
      case Command.Claim claim -> claim(claim);
      case Command.Advance advance -> advance(advance);
      case Command.Transact transact ->
          new Outcome.Broken(
              PawlException.unsupported("the memory store has no transactional steps"));
      case Command.Extend extend -> extend(extend);
      case Command.Send send -> send(send);
      case Command.Emit emit -> emit(emit);
      case Command.Cancel cancel -> cancel(cancel);
      case Command.Rewind rewind -> rewind(rewind);
      case Command.Deploy deploy -> deploy(deploy);
      case Command.Configure configure -> configure(configure);
      case Command.Delete delete -> delete(delete);
      case Command.Purge purge -> purge(purge);
    };
  }

  // ---- start ----

  private Outcome start(Command.Start command) {
    NewRun wanted = command.run();
    Run existing = tables.runs.get(wanted.id());
    if (existing == null && wanted.key().isPresent()) {
      RunId holder = tables.keys.get(wanted.key().get());
      existing = holder == null ? null : tables.runs.get(holder);
    }
    if (existing != null) {
      return new Outcome.AlreadyStarted(existing);
    }
    Run run = record(wanted);
    boolean dueNow = run.due().filter(due -> !due.isAfter(now)).isPresent();
    Optional<Command.Claimant> claimant =
        command.claimant().filter(by -> claims.admits(run.type(), by.runtime()));
    if (claimant.isPresent() && dueNow) {
      Optional<Activation> activation = lease(run, claimant.get());
      return new Outcome.Started(current(run.id()), activation);
    }
    hint(run);
    return new Outcome.Started(run, Optional.empty());
  }

  private Run record(NewRun wanted) {
    Entry first = new Entry(1, now, 0, wanted.created(now, tables.lastPosition));
    tables.append(wanted.id(), first);
    wanted
        .origin()
        .map(origin -> entries(wanted.id(), 0, origin.history()))
        .ifPresent(all -> all.forEach(entry -> tables.append(wanted.id(), entry)));
    Run run = Run.created(wanted.id(), first);
    tables.put(run);
    wanted.key().ifPresent(key -> tables.keys.put(key, run.id()));
    return run;
  }

  // ---- claim ----

  private Outcome claim(Command.Claim command) {
    Queues queues = claims.queues(command);
    List<Activation> activations = new ArrayList<>();
    @Nullable Run next;
    while (activations.size() < command.max() && (next = queues.next()) != null) {
      lease(next, command.claimant()).ifPresent(activations::add);
    }
    boolean full = activations.size() == command.max();
    Outcome.Claimed claimed =
        new Outcome.Claimed(activations, full ? Optional.empty() : queues.later());
    return activations.isEmpty() ? claimed : claimed.withOnward(goOn(command, activations));
  }

  private Map<RunId, Outcome> goOn(Command.Claim command, List<Activation> leased) {
    Map<RunId, Outcome> came = new HashMap<>();
    for (Command.Advance advance : command.onward().goOn(List.copyOf(leased))) {
      came.put(advance.run(), advance(advance));
    }
    return came;
  }

  private Optional<Activation> lease(Run run, Command.Claimant by) {
    Event.Lifecycle decision = Decide.claim(run, claims.progressed(run), by, now);
    if (decision instanceof Event.Leased leased) {
      List<Mail> mail = claims.mailbox(run);
      tables.waits.remove(run.id());
      Run held = transition(run, leased.epoch(), List.of(leased));
      return Optional.of(new Activation(held, tables.lastSeq(run.id()), mail, now));
    }
    transition(run, run.epoch(), List.of(decision));
    return Optional.empty();
  }

  // ---- advance ----

  private Outcome advance(Command.Advance command) {
    Run run = tables.runs.get(command.run());
    if (run == null) {
      return new Outcome.Missing(command.run());
    }
    Optional<String> fence = fence(run, command.epoch(), command.seq());
    if (fence.isPresent()) {
      return new Outcome.Fenced(run.id(), fence.get());
    }
    List<Entry> entries = entries(run.id(), run.epoch(), command.events());
    Run after;
    try {
      areNew(command.children());
      after = run.applyAll(entries);
    } catch (PawlException impossible) {
      return new Outcome.Broken(impossible);
    }
    Set<Long> consumed = Set.copyOf(command.consumed());
    if (!consumed.isEmpty()) {
      List<Mail> left =
          tables.mail(run.id()).stream().filter(mail -> !consumed.contains(mail.id())).toList();
      List<Wait> waits = tables.waits.getOrDefault(run.id(), List.of());
      tables.empty(run.id());
      tables.waits.put(run.id(), waits);
      left.forEach(mail -> tables.post(run.id(), mail));
    }
    command.children().forEach(child -> hint(record(child)));
    write(entries, after);
    if (after.status() == Status.SUSPENDED) {
      suspend(after, command);
    }
    if (!after.status().isTerminal() && after.status() != Status.RUNNING && hasCancel(after)) {
      dueNow(current(after.id()));
    }
    command.sends().forEach(this::send);
    command.emits().forEach(this::emit);
    return new Outcome.Advanced(now);
  }

  private Optional<String> fence(Run run, long epoch, long seq) {
    if (run.epoch() != epoch) {
      return Optional.of("the lease was epoch " + epoch + ", the run is at epoch " + run.epoch());
    }
    if (run.status() != Status.RUNNING) {
      return Optional.of("nobody holds the run, it is " + run.status().word());
    }
    long last = tables.lastSeq(run.id());
    return seq == last + 1
        ? Optional.empty()
        : Optional.of("the write was for seq " + seq + ", the log ends at " + last);
  }

  /** Refuses children whose id or key is taken, before anything is carried out. */
  private void areNew(List<NewRun> children) {
    Set<RunId> ids = new HashSet<>();
    Set<String> keys = new HashSet<>();
    for (NewRun child : children) {
      if (tables.runs.containsKey(child.id()) || !ids.add(child.id())) {
        throw PawlException.conflict("the child's id " + child.id() + " is taken");
      }
      Optional<String> taken =
          child.key().filter(key -> tables.keys.containsKey(key) || !keys.add(key));
      if (taken.isPresent()) {
        throw PawlException.conflict("the child's key '" + taken.get() + "' is taken");
      }
    }
  }

  private void suspend(Run run, Command.Advance command) {
    if (command.end().orElseThrow() instanceof Event.Suspended suspended) {
      tables.waits.put(run.id(), suspended.waits());
      boolean satisfied =
          suspended.wakeAfter() > 0
              && (run.wakes() != command.wakes()
                  || claims.topicEvents(run.id()).findAny().isPresent());
      if (satisfied) {
        dueNow(run);
      }
    }
    hint(current(run.id()));
  }

  // ---- messages ----

  private Outcome send(Command.Send command) {
    Run run = tables.runs.get(command.run());
    if (run == null) {
      return new Outcome.Missing(command.run());
    }
    if (run.status().isTerminal()) {
      return new Outcome.Refused(run, "it has ended (" + run.status().word() + ")");
    }
    if (run.wakes() == 0 || !tables.knows(run.id(), command.message())) {
      deliver(
          run,
          new Mail.Signal(
              ++tables.lastMail, now, command.message(), command.name(), command.value()),
          false);
    }
    return new Outcome.Sent();
  }

  /**
   * Puts a message into the mailbox of a live run, and wakes the run if it waits for such a one.
   */
  private void deliver(Run run, Mail mail, boolean urgent) {
    tables.post(run.id(), mail);
    Run counted = run.change().wakes(run.wakes() + 1).run();
    tables.put(counted);
    boolean awaited =
        tables.waits.getOrDefault(run.id(), List.of()).stream()
            .anyMatch(wait -> mail.answers(wait));
    if (mail instanceof Mail.Cancel && counted.status() != Status.RUNNING) {
      dueNow(counted);
    } else if (awaited && counted.isWaiting()) {
      wake(counted, urgent);
    }
  }

  /** Counts one awaited message; returns whether the run is due now because of it. */
  private boolean wake(Run run, boolean urgent) {
    int left = urgent ? 0 : Math.max(0, run.wakeAfter() - 1);
    Run counted = run.change().wakeAfter(left).run();
    tables.put(counted);
    if (left == 0) {
      dueNow(counted);
    }
    return left == 0;
  }

  private void dueNow(Run run) {
    if (run.due().isEmpty() || run.due().get().isAfter(now)) {
      tables.put(run.change().due(Optional.of(now)).run());
    }
    hint(current(run.id()));
  }

  private Outcome emit(Command.Emit command) {
    Optional<Mail.Topic> earlier =
        tables.topics.stream()
            .filter(event -> event.message().equals(command.message()))
            .findFirst();
    if (earlier.isPresent()) {
      return new Outcome.Emitted(earlier.get().id(), 0);
    }
    Mail.Topic event =
        new Mail.Topic(
            ++tables.lastPosition, now, command.message(), command.topic(), command.value());
    tables.topics.add(event);
    List<Run> waiting =
        tables.waits.entrySet().stream()
            .filter(entry -> entry.getValue().stream().anyMatch(wait -> event.answers(wait)))
            .map(entry -> current(entry.getKey()))
            .filter(Run::isWaiting)
            .toList();
    int woken = (int) waiting.stream().filter(run -> wake(run, false)).count();
    return new Outcome.Emitted(event.id(), woken);
  }

  // ---- the rest ----

  private Outcome extend(Command.Extend command) {
    Set<RunId> lost = new HashSet<>();
    Set<RunId> cancelled = new HashSet<>();
    for (Command.Held held : command.held()) {
      Run run = tables.runs.get(held.run());
      if (run == null || run.epoch() != held.epoch() || run.status() != Status.RUNNING) {
        lost.add(held.run());
        continue;
      }
      Instant until = now.plus(command.lease());
      tables.put(
          run.change()
              .due(Optional.of(until))
              .lease(Optional.of(new Run.Lease(command.worker(), until)))
              .run());
      if (hasCancel(run)) {
        cancelled.add(run.id());
      }
    }
    return new Outcome.Extended(lost, cancelled);
  }

  private Outcome cancel(Command.Cancel command) {
    Run run = tables.runs.get(command.run());
    if (run == null) {
      return new Outcome.Missing(command.run());
    }
    if (run.status().isTerminal()) {
      return new Outcome.Refused(run, "it has ended (" + run.status().word() + ")");
    }
    cancelTree(run, command.reason(), command.force());
    return new Outcome.CancelTaken(current(run.id()));
  }

  private void cancelTree(Run run, String reason, boolean force) {
    switch (Decide.cancel(run, force)) {
      case END -> transition(run, run.epoch(), List.of(new Event.Cancelled(reason)));
      case ASK -> ask(run, reason);
      case REFUSE -> {
        return;
      }
    }
    tables.runs.values().stream()
        .filter(
            child -> child.parent().equals(Optional.of(run.id())) && child.bond() == Bond.AWAITED)
        .sorted(Comparator.comparing(Run::id))
        .toList()
        .forEach(child -> cancelTree(current(child.id()), reason, force));
  }

  private void ask(Run run, String reason) {
    if (!hasCancel(run) && run.cancelling().isEmpty()) {
      deliver(run, new Mail.Cancel(++tables.lastMail, now, reason), true);
    }
  }

  private Outcome rewind(Command.Rewind command) {
    Run run = tables.runs.get(command.run());
    if (run == null) {
      return new Outcome.Missing(command.run());
    }
    if (tables.log(run.id()).stream().anyMatch(entry -> command.isDoneBy(entry.event()))) {
      return new Outcome.Reopened(run);
    }
    Optional<String> refusal = Decide.whyNotRewind(run, command.how());
    if (refusal.isPresent()) {
      return new Outcome.Refused(run, refusal.get());
    }
    tables.waits.remove(run.id());
    Run reopened = transition(run, run.epoch(), List.of(command.event(now)));
    hint(reopened);
    return new Outcome.Reopened(reopened);
  }

  private Outcome deploy(Command.Deploy command) {
    return new Outcome.Deployed(tables.deploy(command.definition()));
  }

  private Outcome configure(Command.Configure command) {
    tables.types.put(command.type().type(), command.type());
    hints.add(new Hint.Claimable(command.type().type()));
    return new Outcome.Done();
  }

  private Outcome delete(Command.Delete command) {
    Run run = tables.runs.get(command.run());
    if (run == null) {
      return new Outcome.Missing(command.run());
    }
    if (!run.status().isTerminal()) {
      return new Outcome.Refused(run, "it is " + run.status().word() + "; cancel it first");
    }
    tables.put(run.change().deletedAt(Optional.of(run.deletedAt().orElse(now))).run());
    return new Outcome.Done();
  }

  private Outcome purge(Command.Purge command) {
    Instant deletedBefore = now.minus(command.deletedFor());
    Instant emittedBefore = now.minus(command.emittedFor());
    List<Run> gone = Decide.purgeable(tables.runs.values(), deletedBefore, now, command.max());
    gone.forEach(tables::remove);
    int before = tables.topics.size();
    tables.topics.removeIf(event -> event.at().isBefore(emittedBefore));
    return new Outcome.Purged(gone.size(), before - tables.topics.size());
  }

  // ---- what they share ----

  private Run transition(Run run, long epoch, List<Event> events) {
    List<Entry> entries = entries(run.id(), epoch, events);
    Run after = run.applyAll(entries);
    write(entries, after);
    return after;
  }

  /** Appends entries and writes the row they leave, with all that follows from a run's end. */
  private void write(List<Entry> entries, Run after) {
    entries.forEach(entry -> tables.append(after.id(), entry));
    tables.put(after);
    if (entries.getLast().event() instanceof Event.Terminal end) {
      tables.empty(after.id());
      tellParent(after, end);
      hints.add(new Hint.Finished(after.id()));
    } else {
      hint(after);
    }
  }

  private List<Entry> entries(RunId id, long epoch, List<Event> events) {
    List<Entry> entries = new ArrayList<>();
    long seq = tables.lastSeq(id);
    for (Event event : events) {
      entries.add(new Entry(++seq, now, epoch, event));
    }
    return entries;
  }

  private void tellParent(Run child, Event.Terminal end) {
    @Nullable Run parent = child.parent().map(tables.runs::get).orElse(null);
    if (parent == null || child.bond() == Bond.DETACHED || parent.status().isTerminal()) {
      return;
    }
    Event.ChildResult result = Event.ChildResult.of(end);
    deliver(
        parent,
        new Mail.ChildOutcome(++tables.lastMail, now, child.id(), result),
        Decide.isUrgent(result));
  }

  private boolean hasCancel(Run run) {
    for (Mail mail : tables.mail(run.id())) {
      if (mail instanceof Mail.Cancel) {
        return true;
      }
    }
    return false;
  }

  private void hint(Run run) {
    if (run.status() != Status.RUNNING && run.due().isPresent()) {
      Instant due = run.due().get();
      hints.add(
          due.isAfter(now) ? new Hint.Scheduled(run.type(), due) : new Hint.Claimable(run.type()));
    }
  }

  private Run current(RunId id) {
    Run run = tables.runs.get(id);
    if (run == null) {
      throw PawlException.internal("run " + id + " vanished within a transaction");
    }
    return run;
  }
}
