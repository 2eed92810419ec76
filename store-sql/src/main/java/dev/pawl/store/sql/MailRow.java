package dev.pawl.store.sql;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.EventCodec;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Messages as rows: {@code id, at, kind, name, message, data}; and topic events and log entries,
 * which are alike.
 */
public final class MailRow {
  public static final String SIGNAL = "signal";
  public static final String CHILD = "child";
  public static final String CANCEL = "cancel";

  private MailRow() {}

  /** The word for the kind of message. */
  public static String kind(Mail mail) {
    return switch (mail) {
      case Mail.Signal signal -> SIGNAL;
      case Mail.ChildOutcome outcome -> CHILD;
      case Mail.Cancel cancel -> CANCEL;
      case Mail.Topic topic ->
          throw PawlException.internal("a topic event is not put into a mailbox");
    };
  }

  /** The name in the message: that of the signal. */
  public static String name(Mail mail) {
    return mail instanceof Mail.Signal signal ? signal.name() : "";
  }

  /** What the message says. */
  public static String data(Mail mail) {
    return switch (mail) {
      case Mail.Signal signal -> signal.value().text();
      case Mail.ChildOutcome outcome -> EventCodec.result(outcome.child(), outcome.result()).text();
      case Mail.Cancel cancel -> FreeText.quote(cancel.reason());
      case Mail.Topic topic -> topic.value().text();
    };
  }

  /** Reads {@code id, at, kind, name, message, data}. */
  public static Mail read(Row row) throws SQLException {
    long id = row.number();
    Instant at = row.instant();
    String kind = row.text();
    String name = row.text();
    Optional<UUID> message = row.optionalUuid();
    String data = row.text();
    return switch (kind) {
      case SIGNAL -> new Mail.Signal(id, at, message.orElseThrow(), name, Json.stored(data));
      case CHILD -> {
        Json outcome = Json.stored(data);
        RunId child = EventCodec.readChild(outcome);
        yield new Mail.ChildOutcome(id, at, child, EventCodec.readResult(outcome));
      }
      case CANCEL -> new Mail.Cancel(id, at, FreeText.unquote(data));
      default ->
          throw PawlException.internal(
              "a mailbox holds a message of the unknown kind '" + kind + "'");
    };
  }

  /** Reads {@code position, at, message, topic, data}. */
  public static Mail.Topic readTopic(Row row) throws SQLException {
    return new Mail.Topic(
        row.number(), row.instant(), row.uuid(), row.text(), Json.stored(row.text()));
  }

  /** Reads {@code seq, at, epoch, kind, data}. */
  public static Entry readEntry(Row row) throws SQLException {
    long seq = row.number();
    Instant at = row.instant();
    long epoch = row.number();
    String kind = row.text();
    return new Entry(seq, at, epoch, EventCodec.read(kind, Json.stored(row.text())));
  }
}
