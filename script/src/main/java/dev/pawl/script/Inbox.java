package dev.pawl.script;

import dev.pawl.store.Mail;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What has come in for a run and was not used yet, in the order in which it came. */
final class Inbox {
  private final Set<Mail> mail = new LinkedHashSet<>();

  /** The messages in their order, and the events on topics between them by their times. */
  Inbox(List<Mail> arrived) {
    Deque<Mail> events = new ArrayDeque<>();
    arrived.stream().filter(Mail.Topic.class::isInstance).forEach(events::add);
    for (Mail message : arrived) {
      if (!(message instanceof Mail.Topic)) {
        while (!events.isEmpty() && events.getFirst().at().isBefore(message.at())) {
          mail.add(events.removeFirst());
        }
        mail.add(message);
      }
    }
    mail.addAll(events);
  }

  /** The first message that can be used. */
  Optional<Mail> first(Predicate<Mail> usable) {
    for (Mail message : mail) {
      if (usable.test(message)) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  void remove(Mail message) {
    mail.remove(message);
  }
}
