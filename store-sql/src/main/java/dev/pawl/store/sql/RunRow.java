package dev.pawl.store.sql;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A run as a row, column by column in the order of the table. */
public final class RunRow {
  /** A payload of more characters than this stands in the run's first event only. */
  static final int MAX_INLINE_CHARS = 4000;

  private RunRow() {}

  /** Reads the columns of the statement {@code run-columns}. */
  public static Run read(Row row) throws SQLException {
    RunId id = new RunId(row.uuid());
    String type = row.text();
    Optional<String> payload = row.optionalText();
    Status status = Status.parse(row.text());
    int priority = row.integer();
    Optional<Instant> due = row.optionalInstant();
    Optional<String> key = row.optionalText();
    int attempt = row.integer();
    int maxAttempts = row.integer();
    Optional<Run.Lease> lease = lease(row.optionalText(), row.optionalInstant());
    long epoch = row.number();
    boolean begun = row.flag();
    boolean resumed = row.flag();
    int crashes = row.integer();
    boolean cleanup = row.flag();
    long wakes = row.number();
    int wakeAfter = row.integer();
    Optional<String> cancelling = row.optionalText().map(FreeText::unquote);
    Optional<String> lastError = row.optionalText();
    Optional<String> result = row.optionalText();
    Optional<RunId> parent = row.optionalUuid().map(RunId::new);
    RunId root = new RunId(row.uuid());
    Bond bond = Bond.valueOf(row.text().toUpperCase(Locale.ROOT));
    Optional<String> definition = row.optionalText();
    Map<String, String> tags =
        row.optionalText().map(Json::stored).map(EventCodec::readTags).orElse(Map.of());
    Optional<Instant> deadline = row.optionalInstant();
    long since = row.number();
    Optional<RunId> forkedFrom = row.optionalUuid().map(RunId::new);
    Instant createdAt = row.instant();
    Instant updatedAt = row.instant();
    Optional<Instant> finishedAt = row.optionalInstant();
    Optional<Instant> deletedAt = row.optionalInstant();
    Optional<Duration> ttl = row.optionalDuration();
    Json input = payload.isPresent() ? Json.stored(payload.get()) : fromFirstEvent(row.text());
    return new Run(
        id,
        type,
        input,
        status,
        priority,
        due,
        key,
        attempt,
        maxAttempts,
        lease,
        epoch,
        begun,
        resumed,
        crashes,
        cleanup,
        wakes,
        wakeAfter,
        cancelling,
        lastError.map(Json::stored).map(EventCodec::readFailure),
        result.map(Json::stored),
        parent,
        root,
        bond,
        definition,
        tags,
        deadline,
        ttl,
        since,
        forkedFrom,
        createdAt,
        updatedAt,
        finishedAt,
        deletedAt);
  }

  /** Gives every column of the run to an INSERT. */
  public static Prepared bindAll(Prepared insert, Run run) throws SQLException {
    insert.with(run.id().uuid()).with(run.type());
    String payload = run.payload().text();
    (payload.length() > MAX_INLINE_CHARS ? insert.withNull() : insert.with(payload))
        .with(run.status().word())
        .with(run.priority())
        .withInstant(run.due())
        .withText(run.key())
        .with(run.attempt())
        .with(run.maxAttempts());
    bindLease(insert, run)
        .with(run.epoch())
        .with(run.begun())
        .with(run.resumed())
        .with(run.crashes())
        .with(run.cleanup())
        .with(run.wakes())
        .with(run.wakeAfter())
        .withText(run.cancelling().map(FreeText::quote))
        .withText(run.lastError().map(failure -> EventCodec.failure(failure).text()))
        .withText(run.result().map(Json::text))
        .withUuid(run.parent().map(RunId::uuid))
        .with(run.root().uuid())
        .with(run.bond().name().toLowerCase(Locale.ROOT))
        .withText(run.definition());
    return (run.tags().isEmpty()
            ? insert.withNull()
            : insert.with(EventCodec.tags(run.tags()).text()))
        .withInstant(run.deadline())
        .with(run.since())
        .withUuid(run.forkedFrom().map(RunId::uuid))
        .with(run.createdAt())
        .with(run.updatedAt())
        .withInstant(run.finishedAt())
        .withInstant(run.deletedAt())
        .withDuration(run.ttl());
  }

  /** Gives the columns that a move to another state can change to an UPDATE. */
  public static Prepared bindMove(Prepared update, Run run) throws SQLException {
    update.with(run.status().word()).withInstant(run.due()).with(run.attempt());
    return bindLease(update, run)
        .with(run.epoch())
        .with(run.begun())
        .with(run.resumed())
        .with(run.crashes())
        .with(run.cleanup())
        .with(run.wakes())
        .with(run.wakeAfter())
        .withText(run.cancelling().map(FreeText::quote))
        .with(run.updatedAt())
        .withInstant(run.finishedAt());
  }

  /** As {@link #bindMove}, and the result and the last error. */
  public static Prepared bindSettled(Prepared update, Run run) throws SQLException {
    return bindMove(update, run)
        .withText(run.result().map(Json::text))
        .withText(run.lastError().map(failure -> EventCodec.failure(failure).text()));
  }

  /** Gives the two columns of the lease. */
  public static Prepared bindLease(Prepared statement, Run run) throws SQLException {
    return statement
        .withText(run.lease().map(Run.Lease::worker))
        .withInstant(run.lease().map(Run.Lease::until));
  }

  private static Optional<Run.Lease> lease(Optional<String> worker, Optional<Instant> until) {
    return worker.map(name -> new Run.Lease(name, until.orElseThrow()));
  }

  private static Json fromFirstEvent(String data) {
    return ((Event.Created) EventCodec.read("created", Json.stored(data))).payload();
  }
}
