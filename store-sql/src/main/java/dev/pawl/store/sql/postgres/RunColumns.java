package dev.pawl.store.sql.postgres;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.sql.FreeText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs as rows of {@code workflow_run}. */
final class RunColumns {
  /** What the table calls a run that a worker holds. */
  private static final String LEASED = "leased";

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

  /** Binds {@code insert-runs}. */
  static void bindAll(Parameters to, List<Run> runs) throws SQLException {
    bindFresh(to, runs, false);
    to.texts(runs, run -> run.definition().orElse(null))
        .texts(runs, run -> run.tags().isEmpty() ? null : EventCodec.tags(run.tags()).text())
        .moments(runs, run -> run.deadline().orElse(null))
        .numbers(runs, Run::since)
        .uuids(runs, run -> run.forkedFrom().map(RunId::uuid).orElse(null))
        .moments(runs, Run::createdAt)
        .moments(runs, Run::updatedAt)
        .moments(runs, run -> run.finishedAt().orElse(null))
        .moments(runs, run -> run.deletedAt().orElse(null));
  }

  /** Binds {@code insert-fresh-runs} but for the time. */
  static void bindFresh(Parameters to, List<Run> runs) throws SQLException {
    bindFresh(to, runs, true);
    to.numbers(runs, Run::since);
  }

  private static void bindFresh(Parameters to, List<Run> runs, boolean fresh) throws SQLException {
    to.uuids(runs, run -> run.id().uuid())
        .texts(runs, Run::type)
        .texts(runs, run -> run.payload().text())
        .texts(runs, run -> word(run.status()))
        .integers(runs, Run::priority)
        .moments(runs, run -> isWaiting(run) ? run.due().orElse(null) : run.createdAt())
        .texts(runs, run -> run.key().orElse(null))
        .integers(runs, Run::attempt)
        .integers(runs, Run::maxAttempts)
        .texts(runs, run -> run.lease().map(Run.Lease::worker).orElse(null))
        .moments(runs, run -> run.lease().map(Run.Lease::until).orElse(null))
        .numbers(runs, Run::epoch)
        .flags(runs, Run::begun);
    if (!fresh) {
      to.flags(runs, Run::resumed)
          .integers(runs, Run::crashes)
          .flags(runs, Run::cleanup)
          .numbers(runs, Run::wakes)
          .integers(runs, Run::wakeAfter)
          .texts(runs, run -> run.cancelling().map(FreeText::quote).orElse(null))
          .texts(runs, RunColumns::lastError)
          .texts(runs, RunColumns::result);
    }
    to.uuids(runs, run -> run.parent().map(RunId::uuid).orElse(null))
        .uuids(runs, run -> run.root().uuid())
        .texts(runs, run -> run.bond().name().toLowerCase(Locale.ROOT));
  }

  /**
   * Whether a new run is no more than pending or leased, and so has nothing in the rarer columns.
   */
  static boolean isFresh(Run run) {
    return !run.status().isTerminal()
        && run.status() != Status.SUSPENDED
        && !run.resumed()
        && run.crashes() == 0
        && !run.cleanup()
        && run.wakes() == 0
        && run.wakeAfter() == 0
        && run.cancelling().isEmpty()
        && run.lastError().isEmpty()
        && run.definition().isEmpty()
        && run.tags().isEmpty()
        && run.deadline().isEmpty()
        && run.forkedFrom().isEmpty()
        && run.deletedAt().isEmpty()
        && run.createdAt().equals(run.updatedAt());
  }

  /** Binds {@code update-runs}. */
  static void bindUpdates(Parameters to, List<KnownRun> rows) throws SQLException {
    to.uuids(rows, row -> row.id.uuid())
        .numbers(rows, row -> row.version)
        .texts(rows, row -> word(row.current().status()))
        .flags(rows, row -> isWaiting(row.current()))
        .moments(rows, row -> row.current().due().orElse(null))
        .integers(rows, row -> row.current().attempt())
        .texts(rows, row -> row.current().lease().map(Run.Lease::worker).orElse(null))
        .moments(rows, row -> row.current().lease().map(Run.Lease::until).orElse(null))
        .numbers(rows, row -> row.current().epoch())
        .flags(rows, row -> row.current().begun())
        .flags(rows, row -> row.current().resumed())
        .integers(rows, row -> row.current().crashes())
        .flags(rows, row -> row.current().cleanup())
        .numbers(rows, row -> row.current().wakes())
        .integers(rows, row -> row.current().wakeAfter())
        .texts(rows, row -> row.current().cancelling().map(FreeText::quote).orElse(null))
        .moments(rows, row -> row.current().updatedAt())
        .moments(rows, row -> row.current().finishedAt().orElse(null))
        .flags(rows, KnownRun::isSettled)
        .texts(rows, row -> row.isSettled() ? result(row.current()) : null)
        .texts(rows, row -> row.isSettled() ? lastError(row.current()) : null)
        .texts(rows, row -> row.current().definition().orElse(null));
  }

  /** Whether {@code run_at} is what the run is due by. */
  private static boolean isWaiting(Run run) {
    return run.status() == Status.PENDING || run.status() == Status.SUSPENDED;
  }

  private static @Nullable String result(Run run) {
    return run.result().map(Json::text).orElse(null);
  }

  private static @Nullable String lastError(Run run) {
    return run.lastError().map(failure -> EventCodec.failure(failure).text()).orElse(null);
  }
}
