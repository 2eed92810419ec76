package dev.pawl.flow;

import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The messages of a turn that the flow has not asked for yet. */
final class Mailbox {
  private final Map<String, Deque<Mail.Signal>> signals = new HashMap<>();
  private final Map<String, Deque<Mail.Topic>> topics = new HashMap<>();
  private final Map<RunId, Mail.ChildOutcome> children = new LinkedHashMap<>();

  Mailbox(List<Mail> mail) {
    for (Mail message : mail) {
      switch (message) {
        case Mail.Signal signal ->
            signals.computeIfAbsent(signal.name(), name -> new ArrayDeque<>()).add(signal);
        case Mail.Topic event ->
            topics.computeIfAbsent(event.topic(), topic -> new ArrayDeque<>()).add(event);
        case Mail.ChildOutcome outcome -> children.put(outcome.child(), outcome);
        case Mail.Cancel cancel -> {} // The turn itself tells of it.
      }
    }
  }

  Optional<Mail.Signal> takeSignal(String name) {
    return take(signals.get(name));
  }

  /** The next event on a topic behind a position. */
  Optional<Mail.Topic> takeEvent(String topic, long after) {
    Optional<Mail.Topic> next = take(topics.get(topic));
    while (next.isPresent() && next.get().id() <= after) {
      next = take(topics.get(topic));
    }
    return next;
  }

  boolean hasChild(RunId child) {
    return children.containsKey(child);
  }

  /** The outcomes of the children that are known by now, in the order in which they came. */
  List<Mail.ChildOutcome> takeChildren(Predicate<RunId> known) {
    if (children.isEmpty()) {
      return List.of();
    }
    List<Mail.ChildOutcome> taken =
        children.values().stream().filter(outcome -> known.test(outcome.child())).toList();
    taken.forEach(outcome -> children.remove(outcome.child()));
    return taken;
  }

  private static <M> Optional<M> take(@org.jspecify.annotations.Nullable Deque<M> queue) {
    return queue == null ? Optional.empty() : Optional.ofNullable(queue.poll());
  }
}
