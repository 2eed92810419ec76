package dev.pawl.store.sql.batch;

import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Mailboxes, waits and topics, as a transaction sees them. */
public interface Messages {
  /** How many events on a topic a run is given at once for each of its waits. */
  int MAX_TOPIC_EVENTS = 100;

  /** The id of the next message to the run. */
  long nextId(Known to) throws SQLException;

  void post(Known to, Mail mail) throws SQLException;

  /** Whether a signal lies in the mailbox, or the run has it on record as received by itself. */
  boolean knowsSignal(Known of, UUID message) throws SQLException;

  boolean hasCancel(Known of) throws SQLException;

  void consume(Known of, Collection<Long> ids) throws SQLException;

  void empty(Known of) throws SQLException;

  /** Records what must be found when a message comes. */
  void await(Known run, List<Wait> waits) throws SQLException;

  /** Whether the run waits for such a message. */
  boolean awaits(Known run, Mail mail) throws SQLException;

  void clearWaits(Known run) throws SQLException;

  /** The position of the last topic event. */
  long lastPosition() throws SQLException;

  Optional<Mail.Topic> emitted(UUID message) throws SQLException;

  /** Appends to the stream of topic events; returns the position. */
  long emit(Command.Emit event, Instant now) throws SQLException;

  /** The runs that wait on a topic. */
  Collection<RunId> awaiting(String topic) throws SQLException;

  /** Whether there is an event that one of these waits has not seen. */
  boolean hasTopicEvents(List<Wait> waits) throws SQLException;

  int purgeTopics(Instant emittedBefore) throws SQLException;

  /** All mail at once: the mailbox, then the topic events that the run's waits have not seen. */
  List<Mail> forClaim(Known run, boolean anyMail, boolean anyWaits) throws SQLException;
}
