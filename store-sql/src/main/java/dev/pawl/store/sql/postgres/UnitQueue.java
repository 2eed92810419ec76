package dev.pawl.store.sql.postgres;

import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.batch.Known;
import dev.pawl.store.sql.batch.Queue;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is to be claimed, as a unit of work sees it: the rows of the database that nobody else has
 * locked, and in place of those that were changed here what became of them.
 */
final class UnitQueue implements Queue {
  /** How many more than wanted are looked at, because others may have locked the first. */
  static final int SPARE = 64;

  private static final Comparator<Run> CLAIM_ORDER =
      Comparator.comparingInt(Run::priority)
          .thenComparing(Run::begun, Comparator.reverseOrder())
          .thenComparing(run -> run.due().orElse(Instant.MAX))
          .thenComparing(Run::id);

  private final Unit unit;
  private final Frontier frontier;

  /** Types that are known to admit a runtime, because the database let them be claimed. */
  private final Set<Admitted> admitted = new HashSet<>();

  /** What was claimed as the transaction began, until something else is asked for. */
  private Optional<ClaimAhead> ahead = Optional.empty();

  private record Admitted(String type, String runtime) {}

  UnitQueue(Unit unit, Frontier frontier) {
    this.unit = unit;
    this.frontier = frontier;
  }

  /** Takes note of what was claimed as the transaction began. */
  void begin(Optional<ClaimAhead> claimed) {
    ahead = claimed;
  }

  @Override
  public boolean admits(String type, String runtime) throws SQLException {
    if (!unit.admitted.containsKey(type) && admitted.contains(new Admitted(type, runtime))) {
      return true;
    }
    @Nullable String only = unit.admitted.get(type);
    if (only == null) {
      only =
          unit.session
              .first("admitted-runtime", to -> to.text(type), Cells::text)
              .orElse(TypeState.ANY);
      unit.admitted.put(type, only);
    }
    return only.equals(TypeState.ANY) || only.equals(runtime);
  }

  @Override
  public List<Known> due(Routes routes, String runtime, int max) throws SQLException {
    if (max < 1) {
      return List.of();
    }
    List<KnownRun> found = new ArrayList<>();
    for (KnownRun run : unit.runs.values()) {
      if (run.run != null && isDue(run.run) && isWanted(routes, runtime, run.run)) {
        found.add(run);
      }
    }
    List<KnownRun> read = read(routes, runtime, max);
    found.addAll(read);
    found.sort(Comparator.comparing(KnownRun::current, CLAIM_ORDER));
    unit.unitMessages().readMail(read);
    unit.unitRuns().readLastWords(read.stream().filter(UnitQueue::isLeased).toList());
    return new ArrayList<>(found.subList(0, Math.min(max, found.size())));
  }

  private static boolean isLeased(KnownRun run) {
    return run.status == Status.RUNNING;
  }

  private List<KnownRun> read(Routes routes, String runtime, int max) throws SQLException {
    Optional<ClaimAhead> begun = ahead.filter(one -> one.isFor(routes, runtime, max));
    if (begun.isPresent() && unit.runs.isEmpty()) {
      List<KnownRun> read = take(runtime, begun.get().due());
      begun.get().deliver(unit.runs);
      if (read.size() < max || Frontier.isLarge(max)) {
        Frontier.Line line = read.size() < max ? frontier.front(List.of()) : front(routes, runtime);
        learn(routes, runtime, max, line, read);
      }
      return read;
    }
    ahead = Optional.empty();
    Optional<Frontier.Line> trusted = frontier.find(routes, runtime);
    List<KnownRun> read = new ArrayList<>();
    if (trusted.isPresent()) {
      read.addAll(read(runtime, trusted.get(), max));
    }
    Frontier.Line line = trusted.orElse(null);
    if (line == null || read.size() < max) {
      line = front(routes, runtime);
      read.addAll(read(runtime, line, max - read.size()));
    }
    learn(routes, runtime, max, line, read);
    return read;
  }

  private void learn(
      Routes routes, String runtime, int max, Frontier.Line line, List<KnownRun> read) {
    frontier.learn(routes, runtime, max, line, read.stream().map(KnownRun::before).toList());
  }

  private Frontier.Line front(Routes routes, String runtime) throws SQLException {
    return frontier.front(
        unit.session.all(
            "claim-heads",
            to -> to.texts(routes.prefixes()).texts(routes.types()).text(runtime),
            cells -> new Frontier.Head(cells.text(), cells.number())));
  }

  private List<KnownRun> read(String runtime, Frontier.Line line, int max) throws SQLException {
    if (line.heads().isEmpty()) {
      return List.of();
    }
    List<Map.Entry<Frontier.Head, Frontier.Place>> heads = List.copyOf(line.heads().entrySet());
    List<UUID> inHand = inHand();
    List<KnownRun> read =
        unit.session.all(
            "claim",
            to ->
                to.texts(heads, head -> head.getKey().type())
                    .numbers(heads, head -> head.getKey().rank())
                    .moments(heads, head -> head.getValue().due())
                    .uuids(heads, head -> head.getValue().run().uuid())
                    .moment(unit.now)
                    .uuids(inHand)
                    .number(max + SPARE)
                    .text(runtime)
                    .number(max + SPARE)
                    .moment(unit.now)
                    .number(max),
            Found::run);
    return take(runtime, read);
  }

  private List<KnownRun> take(String runtime, List<KnownRun> read) throws SQLException {
    List<KnownRun> known = new ArrayList<>();
    for (KnownRun run : read) {
      admitted.add(new Admitted(run.current().type(), runtime));
      @Nullable KnownRun presumed = unit.runs.get(run.id);
      KnownRun one = presumed == null ? run : Unit.confirmed(presumed, run);
      one.locked = true;
      unit.runs.put(run.id, one);
      known.add(one);
    }
    return known;
  }

  /** The rows of which this transaction has its own idea. */
  private List<UUID> inHand() {
    return unit.runs.values().stream()
        .filter(run -> run.stored != null)
        .map(run -> run.id.uuid())
        .toList();
  }

  @Override
  public Optional<Instant> later(Routes routes, String runtime) throws SQLException {
    Optional<Instant> earliest = ahead.isPresent() ? ahead.get().later() : stored(routes, runtime);
    for (KnownRun run : unit.runs.values()) {
      if (run.run != null
          && run.run.due().filter(due -> due.isAfter(unit.now)).isPresent()
          && run.run.deletedAt().isEmpty()
          && isWanted(routes, runtime, run.run)) {
        Instant due = run.run.due().get();
        earliest = Optional.of(earliest.filter(due::isAfter).orElse(due));
      }
    }
    return earliest;
  }

  @Override
  public boolean sawAll() {
    return ahead.isEmpty() || ahead.get().isOfAll();
  }

  private Optional<Instant> stored(Routes routes, String runtime) throws SQLException {
    return unit.session
        .all(
            "claim-later",
            to ->
                to.texts(routes.prefixes())
                    .texts(routes.types())
                    .text(runtime)
                    .moment(unit.now)
                    .uuids(inHand()),
            Cells::optionalInstant)
        .get(0);
  }

  private boolean isDue(Run run) {
    return run.deletedAt().isEmpty()
        && !run.status().isTerminal()
        && run.due().filter(due -> !due.isAfter(unit.now)).isPresent();
  }

  private boolean isWanted(Routes routes, String runtime, Run run) throws SQLException {
    return routes.matches(run.type()) && admits(run.type(), runtime);
  }
}
