package dev.pawl.store.memory;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Decide;
import dev.pawl.store.Mail;
import dev.pawl.store.TypeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a claim finds at a moment; nothing is written here. */
final class Claims {
  private static final int MAX_TOPIC_EVENTS = 100;

  private final Tables tables;
  private final Instant now;

  Claims(Tables tables, Instant now) {
    this.tables = tables;
    this.now = now;
  }

  /** What a claim would lease now, if nothing else happened before; nothing is written. */
  List<Activation> rehearse(Command.Claim command) {
    List<Activation> activations = new ArrayList<>();
    Queues queues = queues(command);
    @Nullable Run next;
    while (activations.size() < command.max() && (next = queues.next()) != null) {
      Run run = next;
      if (Decide.claim(run, progressed(run), command.claimant(), now) instanceof Event.Leased how) {
        long seq = tables.lastSeq(run.id()) + 1;
        Run held = run.apply(new Entry(seq, now, how.epoch(), how));
        activations.add(new Activation(held, seq, mailbox(run), now));
      }
    }
    return activations;
  }

  /** What is due of the types that a claim wants and may have. */
  Queues queues(Command.Claim command) {
    return new Queues(
        now,
        tables.due,
        type -> command.routes().matches(type) && admits(type, command.claimant().runtime()));
  }

  /** What a run is given when it is claimed: its mailbox, and events on the topics it waits on. */
  List<Mail> mailbox(Run run) {
    List<Mail> mail = new ArrayList<>(tables.mail(run.id()));
    topicEvents(run.id()).forEach(mail::add);
    return List.copyOf(mail);
  }

  /** Whether the last owner of a run has recorded anything but heartbeats. */
  boolean progressed(Run run) {
    List<Entry> log = tables.log(run.id());
    for (int i = log.size() - 1; i >= 0; i--) {
      Event event = log.get(i).event();
      if (event instanceof Event.Leased) {
        return false;
      }
      if (!(event instanceof Event.Heartbeat)) {
        return true;
      }
    }
    return false;
  }

  /** The events that a run waits for and that are there. */
  Stream<Mail> topicEvents(RunId id) {
    List<Wait> waits = tables.waits.getOrDefault(id, List.of());
    if (waits.isEmpty() || tables.topics.isEmpty()) {
      return Stream.empty();
    }
    return waits.stream()
        .filter(Wait.Topic.class::isInstance)
        .map(Wait.Topic.class::cast)
        .flatMap(wait -> topicEvents(wait).limit(MAX_TOPIC_EVENTS))
        .distinct()
        .sorted(Comparator.comparingLong(Mail.Topic::id))
        .map(Mail.class::cast);
  }

  private Stream<Mail.Topic> topicEvents(Wait.Topic wait) {
    return tables.topics.stream()
        .filter(event -> event.id() > wait.after() && event.topic().equals(wait.topic()));
  }

  /** Whether a worker of a runtime may claim a type. */
  boolean admits(String type, String runtime) {
    TypeState state = tables.types.get(type);
    return state == null || state.admits(runtime);
  }
}
