package dev.pawl.store.memory;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Definition;
import dev.pawl.store.Mail;
import dev.pawl.store.TypeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Everything a store keeps. */
final class Tables {
  /** The order of claims within a type: priority, then what was begun, then due time. */
  static final Comparator<Run> CLAIM_ORDER = Tables::inOrderOfClaims;

  final Map<RunId, Run> runs = new HashMap<>();
  final Map<String, RunId> keys = new HashMap<>();
  final Map<String, TypeState> types = new TreeMap<>();

  /** The definitions by hash, the newest last. */
  final Map<String, Definition> definitions = new LinkedHashMap<>();

  /** The types that have one. */
  final TreeSet<String> definedTypes = new TreeSet<>();

  final List<Mail.Topic> topics = new ArrayList<>();
  final Map<RunId, List<Wait>> waits = new HashMap<>();

  /** The runs that have a due time, by type. */
  final TreeMap<String, TreeSet<Run>> due = new TreeMap<>();

  long lastMail;
  long lastPosition;

  private final Map<RunId, List<Entry>> logs = new HashMap<>();
  private final Map<RunId, List<Mail>> mailboxes = new HashMap<>();

  /** The signals that a run has on record as received by itself. */
  private final Map<RunId, Set<UUID>> received = new HashMap<>();

  private static int inOrderOfClaims(Run one, Run other) {
    int order = Integer.compare(one.priority(), other.priority());
    if (order == 0) {
      order = Boolean.compare(other.begun(), one.begun());
    }
    if (order == 0) {
      order = one.due().orElseThrow().compareTo(other.due().orElseThrow());
    }
    return order != 0 ? order : one.id().compareTo(other.id());
  }

  /** Makes a definition the newest of its type; returns whether it was not there before. */
  boolean deploy(Definition definition) {
    boolean fresh = definitions.remove(definition.hash()) == null;
    definitions.put(definition.hash(), definition);
    definedTypes.add(definition.type());
    return fresh;
  }

  List<Entry> log(RunId id) {
    return logs.getOrDefault(id, List.of());
  }

  long lastSeq(RunId id) {
    return log(id).size();
  }

  void append(RunId id, Entry entry) {
    logs.computeIfAbsent(id, key -> new ArrayList<>()).add(entry);
    if (entry.epoch() > 0 && entry.event() instanceof Event.SignalReceived signal) {
      received.computeIfAbsent(id, key -> new HashSet<>()).add(signal.message());
    }
  }

  List<Mail> mail(RunId id) {
    return mailboxes.getOrDefault(id, List.of());
  }

  /** Whether a signal lies in the mailbox, or was taken out of it by the run. */
  boolean knows(RunId id, UUID message) {
    return received.getOrDefault(id, Set.of()).contains(message)
        || mail(id).stream()
            .anyMatch(
                mail -> mail instanceof Mail.Signal signal && signal.message().equals(message));
  }

  void post(RunId id, Mail mail) {
    mailboxes.computeIfAbsent(id, key -> new ArrayList<>()).add(mail);
  }

  void empty(RunId id) {
    mailboxes.remove(id);
    waits.remove(id);
  }

  /** Writes the row, and keeps the order of claims in step with it. */
  void put(Run run) {
    Run before = runs.put(run.id(), run);
    if (before != null) {
      unschedule(before);
    }
    if (run.due().isPresent() && run.deletedAt().isEmpty()) {
      due.computeIfAbsent(run.type(), type -> new TreeSet<>(CLAIM_ORDER)).add(run);
    }
  }

  void remove(Run run) {
    runs.remove(run.id());
    run.key().ifPresent(keys::remove);
    logs.remove(run.id());
    received.remove(run.id());
    empty(run.id());
    unschedule(run);
  }

  private void unschedule(Run run) {
    TreeSet<Run> queue = due.get(run.type());
    if (queue != null && run.due().isPresent()) {
      queue.remove(run);
      if (queue.isEmpty()) {
        due.remove(run.type());
      }
    }
  }
}
