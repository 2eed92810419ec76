package dev.pawl.store.sql.postgres;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.sql.FreeText;
import dev.pawl.store.sql.postgres.Rows.Kind;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Runs as rows of {@code workflow_run}. */
final class RunColumns {
  /** What the table calls a run that a worker holds. */
  private static final String LEASED = "leased";

  private static final String TABLE = "workflow.workflow_run";
  private static final Set<String> KEYS = Set.of("id", "version");

  /** In a batch of changes, says of a row that the column stays as it is. */
  private static final Long KEEP = Long.MIN_VALUE;

  private static final String KEPT = "";
  private static final String KEPT_MOMENT =
      "CASE WHEN $ = (" + KEEP + ")::int8 THEN r.%s ELSE workflow.moment($) END";
  private static final String KEPT_TEXT = "CASE WHEN $ = '' THEN r.%s ELSE $%s END";

  private RunColumns() {}

  /** A row, and the version of it that was read. */
  record Versioned(Run run, long version) {}

  /** Reads the columns of the statement {@code run-columns}. */
  static Versioned read(Cells row) throws SQLException {
    RunId id = new RunId(row.uuid());
    String type = row.text();
    Json payload = Json.stored(row.text());
    Status status = status(row.text());
    int priority = row.integer();
    Optional<Instant> due = row.optionalInstant();
    Optional<String> key = row.optionalText();
    int attempt = row.integer();
    int maxAttempts = row.integer();
    Optional<String> worker = row.optionalText();
    Optional<Instant> leaseUntil = row.optionalInstant();
    long epoch = row.number();
    boolean begun = row.flag();
    boolean resumed = row.flag();
    int crashes = row.integer();
    boolean cleanup = row.flag();
    long wakes = row.number();
    int wakeAfter = row.integer();
    Optional<String> cancelling = row.optionalText().map(FreeText::unquote);
    Optional<Failure> lastError = row.optionalText().map(RunColumns::failure);
    Optional<Json> result = row.optionalText().map(Json::stored);
    Optional<RunId> parent = row.optionalUuid().map(RunId::new);
    RunId root = row.optionalUuid().map(RunId::new).orElse(id);
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
    long version = row.number();
    Optional<Run.Lease> lease =
        status == Status.RUNNING && worker.isPresent() && leaseUntil.isPresent()
            ? Optional.of(new Run.Lease(worker.get(), leaseUntil.get()))
            : Optional.empty();
    Run run =
        new Run(
            id,
            type,
            payload,
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
            lastError,
            result,
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
    return new Versioned(run, version);
  }

  /** Workers in SQL leave a sentence where the engine leaves a failure. */
  private static Failure failure(String text) {
    if (text.startsWith("{")) {
      try {
        return EventCodec.readFailure(Json.stored(text));
      } catch (RuntimeException e) {
        return Failure.of("FAILED", text);
      }
    }
    return Failure.of("FAILED", text);
  }

  static String word(Status status) {
    return status == Status.RUNNING ? LEASED : status.word();
  }

  static Status status(String word) {
    return word.equals(LEASED) ? Status.RUNNING : Status.parse(word);
  }

  /** The statement that inserts runs. What a column holds by default is not mentioned. */
  static Rows.Sql insert(List<KnownRun> fresh) {
    return new Rows<>(TABLE, fresh)
        .each("id", Kind.UUID, row -> row.id.uuid())
        .column("type", Kind.TEXT, now(Run::type))
        .each("payload", Kind.JSON, now(run -> run.payload().text()))
        .column("status", Kind.TEXT, now(run -> word(run.status())))
        .column("priority", Kind.NUMBER, now(run -> (long) run.priority()))
        .column("run_at", Kind.MOMENT, now(RunColumns::firstRunAt))
        .unless(null, "idempotency_key", Kind.TEXT, now(run -> run.key().orElse(null)))
        .unless(0L, "attempt", Kind.NUMBER, now(run -> (long) run.attempt()))
        .column("max_attempts", Kind.NUMBER, now(run -> (long) run.maxAttempts()))
        .unless(null, "leased_by", Kind.TEXT, now(RunColumns::leasedBy))
        .unless(null, "lease_until", Kind.MOMENT, now(RunColumns::leaseUntil))
        .unless(0L, "epoch", Kind.NUMBER, now(Run::epoch))
        .unless(false, "begun", Kind.FLAG, now(Run::begun))
        .unless(false, "resumed", Kind.FLAG, now(Run::resumed))
        .unless(0L, "crashes", Kind.NUMBER, now(run -> (long) run.crashes()))
        .unless(false, "cleanup", Kind.FLAG, now(Run::cleanup))
        .unless(0L, "wakes", Kind.NUMBER, now(Run::wakes))
        .unless(0L, "wake_after", Kind.NUMBER, now(run -> (long) run.wakeAfter()))
        .unless(null, "cancelling", Kind.TEXT, now(RunColumns::cancelling))
        .unless(null, "last_error", Kind.TEXT, now(RunColumns::lastError))
        .unless(null, "result", Kind.JSON, now(RunColumns::result))
        .unless(null, "parent_id", Kind.UUID, now(run -> uuid(run.parent())))
        .like("id", "root_id", Kind.UUID, now(run -> run.root().uuid()))
        .column("bond", Kind.TEXT, now(run -> run.bond().name().toLowerCase(Locale.ROOT)))
        .unless(null, "definition", Kind.TEXT, now(run -> run.definition().orElse(null)))
        .unless(null, "tags", Kind.JSON, now(RunColumns::tags))
        .unless(null, "deadline", Kind.MOMENT, now(run -> run.deadline().orElse(null)))
        .unless(0L, "since", Kind.NUMBER, now(Run::since))
        .unless(null, "forked_from", Kind.UUID, now(run -> uuid(run.forkedFrom())))
        .column("created_at", Kind.MOMENT, now(Run::createdAt))
        .column("updated_at", Kind.MOMENT, now(Run::updatedAt))
        .unless(null, "finished_at", Kind.MOMENT, now(run -> run.finishedAt().orElse(null)))
        .unless(null, "deleted_at", Kind.MOMENT, now(run -> run.deletedAt().orElse(null)))
        .unless(null, "ttl", Kind.NUMBER, now(RunColumns::ttl))
        .column("rank", Kind.NUMBER, now(RunColumns::rank))
        .unless(null, "due_at", Kind.MOMENT, now(RunColumns::dueAt))
        .unless(null, "entries", Kind.TEXT, Kept.FIRST, row -> row.page)
        .column("version", Kind.NUMBER, row -> 1L)
        .insert();
  }

  /** A column of the row as it will be. */
  private static <V> Parameters.Column<KnownRun, V> now(Parameters.Column<Run, V> column) {
    return row -> column.of(row.current());
  }

  /**
   * The statement that brings rows up to date, on condition that each still has the version that
   * was decided on: if one has another by now, the count is too small. It locks them in the order
   * they are given in. What has not changed is not written anew: a large result stays where it is.
   */
  static Rows.Sql update(List<KnownRun> runs) {
    return changes(runs).update(KEYS);
  }

  /**
   * ... and a single row, by a statement that costs less, and fails if it has another version; but
   * not if there is no such row.
   */
  static Rows.Sql updateOne(KnownRun run) {
    return changes(List.of(run)).updateOne(KEYS);
  }

  private static Rows<KnownRun> changes(List<KnownRun> runs) {
    Rows<KnownRun> rows =
        new Rows<>(TABLE, runs)
            .column("version", Kind.NUMBER, row -> row.version)
            .each("id", Kind.UUID, row -> row.id.uuid());
    rows.column("status", Kind.TEXT, row -> word(row.current().status()));
    rows.unless(KEEP, "run_at", Kind.NUMBER, KEPT_MOMENT.formatted("run_at"), RunColumns::newRunAt);
    change(rows, "attempt", Kind.NUMBER, run -> (long) run.attempt());
    change(rows, "leased_by", Kind.TEXT, RunColumns::leasedBy);
    change(rows, "lease_until", Kind.MOMENT, RunColumns::leaseUntil);
    change(rows, "epoch", Kind.NUMBER, Run::epoch);
    change(rows, "begun", Kind.FLAG, Run::begun);
    change(rows, "resumed", Kind.FLAG, Run::resumed);
    change(rows, "crashes", Kind.NUMBER, run -> (long) run.crashes());
    change(rows, "cleanup", Kind.FLAG, Run::cleanup);
    change(rows, "wakes", Kind.NUMBER, Run::wakes);
    change(rows, "wake_after", Kind.NUMBER, run -> (long) run.wakeAfter());
    change(rows, "cancelling", Kind.TEXT, RunColumns::cancelling);
    change(rows, "updated_at", Kind.MOMENT, Run::updatedAt);
    change(rows, "finished_at", Kind.MOMENT, run -> run.finishedAt().orElse(null));
    change(rows, "definition", Kind.TEXT, run -> run.definition().orElse(null));
    change(rows, "rank", Kind.NUMBER, RunColumns::rank);
    change(rows, "due_at", Kind.MOMENT, RunColumns::dueAt);
    return rows.unless(
            KEPT,
            "result",
            Kind.TEXT,
            KEPT_TEXT.formatted("result", "::json"),
            row -> row.isSettled() ? result(row.current()) : KEPT)
        .unless(
            KEPT,
            "last_error",
            Kind.TEXT,
            KEPT_TEXT.formatted("last_error", ""),
            row -> row.isSettled() ? lastError(row.current()) : KEPT)
        .unless(null, "entries", Kind.TEXT, Kept.MORE, row -> row.page);
  }

  /** Adds a column unless it stays in every row what it was. */
  private static void change(
      Rows<KnownRun> rows, String name, Kind kind, Parameters.Column<Run, ?> column) {
    rows.changed(name, kind, row -> column.of(row.before()), now(column));
  }

  /** What {@code run_at} of a new row is. */
  private static @Nullable Instant firstRunAt(Run run) {
    return isWaiting(run) ? run.due().orElse(null) : run.createdAt();
  }

  /** What {@code run_at} becomes in milliseconds: while a run is not waiting, it stays. */
  private static @Nullable Long newRunAt(KnownRun row) {
    Run run = row.current();
    if (!isWaiting(run) || (isWaiting(row.before()) && run.due().equals(row.before().due()))) {
      return KEEP;
    }
    return run.due().map(Instant::toEpochMilli).orElse(null);
  }

  /** Whether {@code run_at} is what the run is due by. */
  private static boolean isWaiting(Run run) {
    return run.status() == Status.PENDING || run.status() == Status.SUSPENDED;
  }

  /** The order of claims: by priority, and in it what was begun before what was not. */
  static long rank(Run run) {
    return run.priority() * 2L + (run.begun() ? 0 : 1);
  }

  /** When a claim finds the run; never, if it is hidden. */
  static @Nullable Instant dueAt(Run run) {
    return run.deletedAt().isPresent() ? null : run.due().orElse(null);
  }

  private static @Nullable String leasedBy(Run run) {
    return run.lease().map(Run.Lease::worker).orElse(null);
  }

  private static @Nullable Instant leaseUntil(Run run) {
    return run.lease().map(Run.Lease::until).orElse(null);
  }

  private static @Nullable UUID uuid(Optional<RunId> id) {
    return id.map(RunId::uuid).orElse(null);
  }

  private static @Nullable String cancelling(Run run) {
    return run.cancelling().map(FreeText::quote).orElse(null);
  }

  private static @Nullable String tags(Run run) {
    return run.tags().isEmpty() ? null : EventCodec.tags(run.tags()).text();
  }

  static @Nullable Long ttl(Run run) {
    return run.ttl().map(Duration::toMillis).orElse(null);
  }

  private static @Nullable String result(Run run) {
    return run.result().map(Json::text).orElse(null);
  }

  private static @Nullable String lastError(Run run) {
    return run.lastError().map(failure -> EventCodec.failure(failure).text()).orElse(null);
  }
}
