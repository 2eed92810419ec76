package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.EventCodec;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import dev.pawl.store.sql.FreeText;
import dev.pawl.store.sql.MailRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages, topic events and log entries as rows. */
final class Letters {
  /** Stands in a mailbox for the id of the one request to cancel. */
  private static final UUID CANCEL_MARK = new UUID(0, 0);

  private Letters() {}

  /** A message and whose it is. */
  record Addressed(RunId run, Mail mail) {}

  /** Reads {@code mail-columns}. */
  static Addressed read(Cells cells) throws SQLException {
    RunId run = new RunId(cells.uuid());
    long id = cells.number();
    Instant at = cells.instant();
    String kind = cells.text();
    String name = cells.text();
    Optional<UUID> message = cells.optionalUuid();
    String data = cells.text();
    return new Addressed(
        run,
        switch (kind) {
          case MailRow.SIGNAL ->
              new Mail.Signal(id, at, message.orElseThrow(), name, Json.stored(data));
          case MailRow.CHILD -> {
            Json outcome = Json.stored(data);
            yield new Mail.ChildOutcome(
                id, at, EventCodec.readChild(outcome), EventCodec.readResult(outcome));
          }
          case MailRow.CANCEL -> new Mail.Cancel(id, at, FreeText.unquote(data));
          default ->
              throw PawlException.internal(
                  "the mailbox of run "
                      + run
                      + " holds a message of the unknown kind '"
                      + kind
                      + "'");
        });
  }

  /** What stands in the column {@code message}. */
  static @Nullable UUID message(Mail mail) {
    return switch (mail) {
      case Mail.Signal signal -> signal.message();
      case Mail.Cancel cancel -> CANCEL_MARK;
      case Mail.ChildOutcome outcome -> null;
      case Mail.Topic topic -> topic.message();
    };
  }

  /** Reads {@code topic-columns}. */
  static Mail.Topic readTopic(Cells cells) throws SQLException {
    return new Mail.Topic(
        cells.number(), cells.instant(), cells.uuid(), cells.text(), Json.stored(cells.text()));
  }

  /** Reads {@code seq, created_at, epoch, event_type, data}. */
  static Entry readEntry(Cells cells) throws SQLException {
    long seq = cells.number();
    Instant at = cells.instant();
    long epoch = cells.number();
    String kind = cells.text();
    return new Entry(seq, at, epoch, EventCodec.read(kind, Json.stored(cells.text())));
  }
}
