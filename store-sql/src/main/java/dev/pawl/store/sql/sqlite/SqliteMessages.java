package dev.pawl.store.sql.sqlite;

import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.sql.MailRow;
import dev.pawl.store.sql.Prepared;
import dev.pawl.store.sql.Row;
import dev.pawl.store.sql.batch.Known;
import dev.pawl.store.sql.batch.Messages;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Mailboxes, waits and topics, as the writer sees them. */
final class SqliteMessages implements Messages {
  private static final String TOPIC = "topic";

  /** Stands in a mailbox for the id of the one request to cancel. */
  private static final byte[] CANCEL_MARK = {0};

  private record TopicWait(String topic, long after) {}

  private final Session session;
  private final Cache cache;

  SqliteMessages(Session session, Cache cache) {
    this.session = session;
    this.cache = cache;
  }

  // ---- mailboxes ----

  @Override
  public long nextId(Known to) throws SQLException {
    if (cache.lastMail == Cache.UNKNOWN) {
      cache.lastMail = session.sql("last-mail").number();
    }
    return cache.lastMail + 1;
  }

  @Override
  public void post(Known to, Mail mail) throws SQLException {
    Prepared insert =
        session
            .sql("insert-mail")
            .with(mail.id())
            .with(KnownRow.rid(to))
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

  private List<Mail> mailbox(Known of) throws SQLException {
    return session.sql("mailbox").with(KnownRow.rid(of)).all(MailRow::read);
  }

  @Override
  public boolean knowsSignal(Known of, UUID message) throws SQLException {
    return session
        .sql("knows-message")
        .with(KnownRow.rid(of))
        .with(message)
        .with(message.toString())
        .any();
  }

  @Override
  public boolean hasCancel(Known of) throws SQLException {
    return session.sql("has-message").with(KnownRow.rid(of)).with(CANCEL_MARK).any();
  }

  @Override
  public void consume(Known of, Collection<Long> ids) throws SQLException {
    for (long id : ids) {
      session.sql("consume-mail").with(id).with(KnownRow.rid(of)).write();
    }
  }

  @Override
  public void empty(Known of) throws SQLException {
    session.sql("empty-mailbox").with(KnownRow.rid(of)).write();
  }

  // ---- waits ----

  /** Any number of children is one row, and timers are none. */
  @Override
  public void await(Known run, List<Wait> waits) throws SQLException {
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
    session.sql("insert-wait").with(KnownRow.rid(run)).with(kind).with(name).with(after).write();
  }

  @Override
  public boolean awaits(Known run, Mail mail) throws SQLException {
    return session
        .sql("awaits")
        .with(KnownRow.rid(run))
        .with(MailRow.kind(mail))
        .with(MailRow.name(mail))
        .any();
  }

  @Override
  public void clearWaits(Known run) throws SQLException {
    session.sql("clear-waits").with(KnownRow.rid(run)).write();
  }

  // ---- topics ----

  @Override
  public long lastPosition() throws SQLException {
    if (cache.lastPosition == Cache.UNKNOWN) {
      cache.lastPosition = session.sql("last-position").number();
    }
    return cache.lastPosition;
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) throws SQLException {
    return session.sql("emitted").with(message).first(MailRow::readTopic);
  }

  @Override
  public long emit(Command.Emit event, Instant now) throws SQLException {
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

  @Override
  public List<RunId> awaiting(String topic) throws SQLException {
    return session.sql("runs-awaiting-topic").with(topic).all(row -> new RunId(row.uuid()));
  }

  /** The events that the run's waits on topics have not seen, in order. */
  private Collection<Mail.Topic> topicEvents(Known run) throws SQLException {
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
        .with(KnownRow.rid(run))
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

  @Override
  public boolean hasTopicEvents(List<Wait> waits) throws SQLException {
    for (Wait wait : waits) {
      if (wait instanceof Wait.Topic topic
          && session.sql("topic-events").with(topic.topic()).with(topic.after()).with(1).any()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int purgeTopics(Instant emittedBefore) throws SQLException {
    Optional<Long> kept = session.sql("first-kept-position").with(emittedBefore).first(Row::number);
    return session.sql("purge-topics").with(kept.orElse(Long.MAX_VALUE)).write();
  }

  @Override
  public List<Mail> forClaim(Known run, boolean anyMail, boolean anyWaits) throws SQLException {
    List<Mail> mail = new ArrayList<>(anyMail ? mailbox(run) : List.of());
    if (anyWaits) {
      mail.addAll(topicEvents(run));
    }
    return mail;
  }
}
