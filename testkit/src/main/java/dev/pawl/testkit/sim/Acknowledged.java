package dev.pawl.testkit.sim;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What was acknowledged is there (R1), and what ended unknown is there once or not at all (R2). Not
 * thread-safe.
 */
final class Acknowledged {
  private final Store store;
  private final List<Command.Advance> advances = new ArrayList<>();
  private final List<RunId> starts = new ArrayList<>();
  private final List<Command.Emit> puts = new ArrayList<>();
  private final Map<UUID, String> emits = new HashMap<>();

  /** Tells of a violation. */
  interface Findings {
    void add(String invariant, RunId run, String message);
  }

  Acknowledged(Store store) {
    this.store = store;
  }

  void add(Command command, Outcome outcome) {
    switch (outcome) {
      case Outcome.Started started -> starts.add(started.run().id());
      case Outcome.AlreadyStarted there -> starts.add(there.run().id());
      case Outcome.Advanced advanced when command instanceof Command.Advance advance -> {
        advances.add(advance);
        puts.addAll(advance.emits());
      }
      case Outcome.Emitted emitted when command instanceof Command.Emit emit -> puts.add(emit);
      default -> {}
    }
  }

  /** Takes note of what was put on topics, acknowledged or not. */
  void emitted(Command command) {
    switch (command) {
      case Command.Emit emit -> emits.put(emit.message(), emit.topic());
      case Command.Advance advance ->
          advance.emits().forEach(emit -> emits.put(emit.message(), emit.topic()));
      default -> {}
    }
  }

  void check(Collection<Run> runs, Findings findings) {
    for (RunId id : starts) {
      if (store.run(id).isEmpty()) {
        findings.add("R1", id, "its start was acknowledged, and it is not there");
      }
    }
    advances.forEach(advance -> checkAdvance(advance, findings));
    for (Command.Emit emit : puts) {
      if (store.emitted(emit.message()).isEmpty()) {
        findings.add("R1", runs.iterator().next().id(), "acknowledged and not there: " + emit);
      }
    }
    Map<String, NavigableSet<Long>> topics = topics();
    runs.forEach(run -> checkMessages(run, topics, findings));
  }

  private void checkAdvance(Command.Advance advance, Findings findings) {
    List<Entry> there = store.log(advance.run(), advance.seq() - 1, advance.events().size());
    if (!there.stream().map(Entry::event).toList().equals(advance.events())) {
      findings.add(
          "R1",
          advance.run(),
          "an advance at seq "
              + advance.seq()
              + " was acknowledged: "
              + advance.events()
              + "; found there is "
              + there);
    }
  }

  /** A signal that was taken is in the mailbox or on record, once, unless its run has ended. */
  void checkSent(Command.Send send, Findings findings) {
    Optional<Run> run = store.run(send.run());
    if (run.isEmpty() || run.get().status().isTerminal()) {
      return;
    }
    long waiting =
        store.mail(send.run()).stream()
            .filter(mail ->
                mail instanceof Mail.Signal signal && signal.message().equals(send.message()))
            .count();
    boolean consumed =
        store.log(send.run(), 0, Integer.MAX_VALUE).stream()
            .anyMatch(entry -> isOf(entry, send.message()));
    if (waiting == 0 && !consumed) {
      findings.add("R1", send.run(), "signal " + send.message() + " was taken and is gone");
    }
    if (waiting > 1) {
      findings.add("R2", send.run(), "signal " + send.message() + " waits twice");
    }
  }

  private static boolean isOf(Entry entry, UUID message) {
    return entry.event() instanceof Event.SignalReceived got && got.message().equals(message);
  }

  private Map<String, NavigableSet<Long>> topics() {
    Map<String, NavigableSet<Long>> topics = new TreeMap<>();
    emits.forEach((message, topic) ->
        store
            .emitted(message)
            .ifPresent(
                event -> topics.computeIfAbsent(topic, name -> new TreeSet<>()).add(event.id())));
    return topics;
  }

  private void checkMessages(Run run, Map<String, NavigableSet<Long>> topics, Findings findings) {
    List<Entry> log = store.log(run.id(), 0, Integer.MAX_VALUE);
    checkSignals(run, log, findings);
    checkTopics(run, log, topics, findings);
  }

  /**
   * A signal is received once, whatever is taken back afterwards; what a fork has inherited is not
   * its own.
   */
  private static void checkSignals(Run run, List<Entry> log, Findings findings) {
    Set<UUID> received = new HashSet<>();
    for (Entry entry : log) {
      if (entry.event() instanceof Event.SignalReceived got
          && entry.epoch() > 0
          && !received.add(got.message())) {
        findings.add("R2", run.id(), "signal " + got.message() + " was received twice");
      }
    }
  }

  /**
   * Of a topic a run gets every event since it began, in order. A script that starts over begins
   * anew.
   */
  private static void checkTopics(
      Run run, List<Entry> log, Map<String, NavigableSet<Long>> topics, Findings findings) {
    Map<String, Long> cursors = new HashMap<>();
    for (Entry entry : History.of(log).entries()) {
      if (entry.event() instanceof Event.Retried && run.definition().isPresent()) {
        cursors.clear();
      }
      if (entry.event() instanceof Event.EventReceived got) {
        long before =
            Optional.ofNullable(cursors.put(got.topic(), got.position())).orElse(run.since());
        Long expected = topics.getOrDefault(got.topic(), new TreeSet<>()).higher(before);
        if (expected == null || expected != got.position()) {
          findings.add(
              "R1",
              run.id(),
              "behind position "
                  + before
                  + " of topic "
                  + got.topic()
                  + " there is "
                  + expected
                  + "; it received "
                  + got.position());
        }
      }
    }
  }
}
