package dev.pawl.store.sql.sqlite;

import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.sql.MailRow;
import dev.pawl.store.sql.Prepared;
import dev.pawl.store.sql.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Mailboxes, waits and topics, as the writer sees them. */
final class Messages {
  /** How many events on a topic a run is given at once for each of its waits. */
  private static final int MAX_TOPIC_EVENTS = 100;

  private static final String TOPIC = "topic";

  /** Stands in a mailbox for the id of the one request to cancel. */
  private static final byte[] CANCEL_MARK = {0};

  private record TopicWait(String topic, long after) {}

  private final Session session;
  private final Cache cache;

  Messages(Session session, Cache cache) {
    this.session = session;
    this.cache = cache;
  }

  // ---- mailboxes ----

  long nextMailId() throws SQLException {
    if (cache.lastMail == Cache.UNKNOWN) {
      cache.lastMail = session.sql("last-mail").number();
    }
    return cache.lastMail + 1;
  }

  void post(Known to, Mail mail) throws SQLException {
    Prepared insert =
        session
            .sql("insert-mail")
            .with(mail.id())
            .with(to.rid)
            .with(mail.at())
            .with(MailRow.kind(mail))
            .with(MailRow.name(mail));
    switch (mail) {
      case Mail.Signal signal -> insert.with(signal.message());
      case Mail.Cancel cancel -> insert.with(CANCEL_MARK);
      case Mail.ChildOutcome outcome -> insert.withNull();
      case Mail.Topic topic -> insert.withNull();
    }
    insert.with(MailRow.data(mail)).write();
    cache.lastMail = mail.id();
  }

  List<Mail> mailbox(Known of) throws SQLException {
    return session.sql("mailbox").with(of.rid).all(MailRow::read);
  }

  boolean hasSignal(Known of, UUID message) throws SQLException {
    return session.sql("has-message").with(of.rid).with(message).any();
  }

  boolean hasCancel(Known of) throws SQLException {
    return session.sql("has-message").with(of.rid).with(CANCEL_MARK).any();
  }

  void consume(Known of, Collection<Long> ids) throws SQLException {
    for (long id : ids) {
      session.sql("consume-mail").with(id).with(of.rid).write();
    }
  }

  void empty(long rid) throws SQLException {
    session.sql("empty-mailbox").with(rid).write();
  }

  // ---- waits ----

  /**
   * Records what must be found when a message comes. Any number of children is one row, and timers
   * are none.
   */
  void await(Known run, List<Wait> waits) throws SQLException {
    for (Wait wait : waits) {
      if (wait instanceof Wait.Signal signal) {
        await(run, MailRow.SIGNAL, signal.name(), 0);
      } else if (wait instanceof Wait.Topic topic) {
        await(run, TOPIC, topic.topic(), topic.after());
      }
    }
    if (waits.stream().anyMatch(Wait.Child.class::isInstance)) {
      await(run, MailRow.CHILD, "", 0);
    }
  }

  private void await(Known run, String kind, String name, long after) throws SQLException {
    session.sql("insert-wait").with(run.rid).with(kind).with(name).with(after).write();
  }

  /** Whether the run waits for such a message. */
  boolean awaits(Known run, Mail mail) throws SQLException {
    return session
        .sql("awaits")
        .with(run.rid)
        .with(MailRow.kind(mail))
        .with(MailRow.name(mail))
        .any();
  }

  void clearWaits(long rid) throws SQLException {
    session.sql("clear-waits").with(rid).write();
  }

  // ---- topics ----

  long lastPosition() throws SQLException {
    if (cache.lastPosition == Cache.UNKNOWN) {
      cache.lastPosition = session.sql("last-position").number();
    }
    return cache.lastPosition;
  }

  Optional<Mail.Topic> emitted(UUID message) throws SQLException {
    return session.sql("emitted").with(message).first(MailRow::readTopic);
  }

  /** Appends to the stream of topic events; returns the position. */
  long emit(Command.Emit event, Instant now) throws SQLException {
    long position = lastPosition() + 1;
    session
        .sql("insert-topic")
        .with(position)
        .with(now)
        .with(event.topic())
        .with(event.message())
        .with(event.value().text())
        .write();
    cache.lastPosition = position;
    return position;
  }

  List<RunId> awaiting(String topic) throws SQLException {
    return session.sql("runs-awaiting-topic").with(topic).all(row -> new RunId(row.uuid()));
  }

  /** The events that the run's waits on topics have not seen, in order. */
  Collection<Mail.Topic> topicEvents(Known run) throws SQLException {
    TreeMap<Long, Mail.Topic> found = new TreeMap<>();
    for (TopicWait wait : topicWaits(run)) {
      for (Mail.Topic event : topicEvents(wait.topic(), wait.after())) {
        found.put(event.id(), event);
      }
    }
    return found.values();
  }

  private List<TopicWait> topicWaits(Known run) throws SQLException {
    return session
        .sql("awaited-topics")
        .with(run.rid)
        .all(row -> new TopicWait(row.text(), row.number()));
  }

  private List<Mail.Topic> topicEvents(String topic, long after) throws SQLException {
    return session
        .sql("topic-events")
        .with(topic)
        .with(after)
        .with(MAX_TOPIC_EVENTS)
        .all(MailRow::readTopic);
  }

  /** Whether there is an event that one of these waits has not seen. */
  boolean hasTopicEvents(List<Wait> waits) throws SQLException {
    for (Wait wait : waits) {
      if (wait instanceof Wait.Topic topic
          && session.sql("topic-events").with(topic.topic()).with(topic.after()).with(1).any()) {
        return true;
      }
    }
    return false;
  }

  int purgeTopics(Instant emittedBefore) throws SQLException {
    Optional<Long> kept = session.sql("first-kept-position").with(emittedBefore).first(Row::number);
    return session.sql("purge-topics").with(kept.orElse(Long.MAX_VALUE)).write();
  }

  /** All mail at once: the mailbox, then topic events. */
  List<Mail> forClaim(Known run, boolean anyMail, boolean anyWaits) throws SQLException {
    List<Mail> mail = new ArrayList<>(anyMail ? mailbox(run) : List.of());
    if (anyWaits) {
      mail.addAll(topicEvents(run));
    }
    return mail;
  }
}
