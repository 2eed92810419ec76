package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import dev.pawl.log.Bond;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.sql.batch.Known;
import dev.pawl.store.sql.batch.Line;
import dev.pawl.store.sql.batch.Runs;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The run rows and the logs in a unit of work. */
final class UnitRuns implements Runs {
  private static final String LEASED = "leased";
  private static final Instant EARLIEST = Instant.parse("-4000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("+200000-01-01T00:00:00Z");

  /** What removes runs; a run that was never deleted is hidden first, or the triggers refuse. */
  private static final List<String> REMOVAL =
      List.of("hide-expired", "empty-mailboxes", "clear-waits", "purge-events", "purge-runs");

  private final Unit unit;

  UnitRuns(Unit unit) {
    this.unit = unit;
  }

  @Override
  public @Nullable Known fence(RunId id) throws SQLException {
    @Nullable KnownRun known = unit.runs.get(id);
    return known == null ? find(id) : known;
  }

  @Override
  public @Nullable KnownRun find(RunId id) throws SQLException {
    @Nullable KnownRun known = unit.runs.get(id);
    if (known == null || known.run == null) {
      unit.load(List.of(id));
      known = unit.runs.get(id);
    }
    return known;
  }

  @Override
  public @Nullable Known findByKey(String key) throws SQLException {
    @Nullable KnownRun known = unit.byKey.get(key);
    if (known == null && !unit.freeKeys.contains(key)) {
      Optional<KnownRun> found =
          unit.session.first("read-keys", to -> to.texts(List.of(key)), Found::run);
      if (found.isEmpty()) {
        unit.freeKeys.add(key);
        return null;
      }
      known = unit.runs.computeIfAbsent(found.get().id, id -> found.get());
      unit.byKey.put(key, known);
    }
    return known;
  }

  /** If nobody has looked, an id is taken to be free: writing it shows whether it is. */
  @Override
  public boolean isTaken(RunId id) {
    return unit.runs.containsKey(id);
  }

  @Override
  public Run row(Known known) throws SQLException {
    return unit.row((KnownRun) known);
  }

  @Override
  public List<RunId> awaitedChildren(RunId parent) throws SQLException {
    TreeSet<RunId> children =
        new TreeSet<>(
            unit.session.all(
                "awaited-children",
                to -> to.uuid(parent.uuid()),
                cells -> new RunId(cells.uuid())));
    for (KnownRun known : unit.runs.values()) {
      if (known.isNew()
          && known.current().bond() == Bond.AWAITED
          && known.current().parent().equals(Optional.of(parent))) {
        children.add(known.id);
      }
    }
    unit.load(children);
    return List.copyOf(children);
  }

  @Override
  public boolean progressed(Known known) throws SQLException {
    KnownRun run = (KnownRun) known;
    readLastWords(List.of(run));
    return !LEASED.equals(run.lastWord);
  }

  /** Reads the last entries of runs, but for signs of life, where nobody has yet. */
  void readLastWords(List<KnownRun> runs) throws SQLException {
    List<KnownRun> asked = runs.stream().filter(run -> run.lastWord == null).toList();
    if (asked.isEmpty()) {
      return;
    }
    Map<RunId, String> words = new HashMap<>();
    unit.session.all(
        "last-words",
        to -> to.uuids(asked, run -> run.id.uuid()),
        cells -> words.put(new RunId(cells.uuid()), cells.text()));
    asked.forEach(run -> run.lastWord = words.getOrDefault(run.id, LEASED));
  }

  @Override
  public boolean isRewound(Known known, Command.Rewind order) throws SQLException {
    boolean here =
        unit.appended.stream()
            .anyMatch(
                entry -> entry.run() == known && order.isDoneBy(entry.line().entry().event()));
    return here
        || unit.session
            .first(
                "rewound-by",
                to -> to.uuid(known.id.uuid()).text(order.order().toString()),
                cells -> 0)
            .isPresent();
  }

  @Override
  public void check(Run after) {
    if (isFar(after.due())
        || isFar(after.deadline())
        || isFar(after.lease().map(Run.Lease::until))) {
      throw PawlException.badInput(
          "run "
              + after.id()
              + " would be due, leased or over at a moment that Postgres cannot keep; name one"
              + " before the year 200000");
    }
  }

  private static boolean isFar(Optional<Instant> moment) {
    return moment.isPresent() && (moment.get().isAfter(LATEST) || moment.get().isBefore(EARLIEST));
  }

  @Override
  public @Nullable Known insert(Run run, List<Line> log) throws SQLException {
    boolean taken =
        unit.runs.containsKey(run.id())
            || (run.key().isPresent() && findByKey(run.key().get()) != null);
    if (taken) {
      return null;
    }
    check(run);
    KnownRun known = KnownRun.fresh(run);
    known.leasedHere = run.status() == Status.RUNNING;
    unit.runs.put(run.id(), known);
    unit.absent.remove(run.id());
    run.key().ifPresent(key -> unit.byKey.put(key, known));
    if (run.forkedFrom().isPresent() || !unit.keep(known, log)) {
      unit.append(known, log);
    }
    return known;
  }

  @Override
  public void append(Known known, List<Line> lines) {
    unit.append((KnownRun) known, lines);
  }

  @Override
  public void save(Known known, Run after) {
    KnownRun row = (KnownRun) known;
    row.leasedHere |= after.status() == Status.RUNNING && after.epoch() != row.epoch;
    row.become(after);
    unit.writes++;
  }

  /**
   * The end of a run that is held here is kept in its row, which is written on condition that it
   * still is: so nobody else can be at the same place. The place of anything else is guarded by the
   * index of the table.
   */
  @Override
  public void move(Known known, List<Line> lines, Run after) {
    KnownRun run = (KnownRun) known;
    boolean kept = run.held && after.status().isTerminal() && unit.keep(run, lines);
    if (!kept) {
      append(known, lines);
    }
    save(known, after);
  }

  @Override
  public void hide(Known known, Run after) {
    save(known, after);
  }

  @Override
  public int purgeDeleted(Instant before, int max) throws SQLException {
    Flush.write(unit);
    return purge("purgeable-runs", before, max);
  }

  @Override
  public int purgeExpired(Instant now, int max) throws SQLException {
    return purge("expired-runs", now, max);
  }

  private int purge(String which, Instant moment, int max) throws SQLException {
    unit.writes++;
    List<UUID> gone = unit.session.all(which, to -> to.moment(moment).number(max), Cells::uuid);
    if (!gone.isEmpty()) {
      Session.Round round = unit.session.round();
      for (String statement : REMOVAL) {
        round.write(statement, to -> to.uuids(gone), rows -> {});
      }
      round.run();
    }
    Set<RunId> purged = gone.stream().map(RunId::new).collect(Collectors.toSet());
    unit.runs.keySet().removeAll(purged);
    unit.byKey.values().removeIf(known -> purged.contains(known.id));
    unit.letters.keySet().removeIf(letter -> purged.contains(letter.run()));
    unit.absent.addAll(purged);
    return gone.size();
  }
}
