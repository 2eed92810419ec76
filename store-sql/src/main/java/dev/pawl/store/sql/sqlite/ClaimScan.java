package dev.pawl.store.sql.sqlite;

import dev.pawl.log.RunId;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.Row;
import dev.pawl.store.sql.batch.Known;
import dev.pawl.store.sql.batch.Queue;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is due, in the order of claims, by skipping through the index: from type to type, from
 * rank to rank, and within a rank to what is due. Its cost grows with the types and ranks it looks
 * at and the runs it finds, and with nothing else.
 */
final class ClaimScan implements Queue {
  /** A run that is due. */
  record Candidate(long rid, RunId id, long due) {}

  /** A type's next rank, and the earliest due time in it. */
  private record Head(String type, long rank, long due) {}

  private final Session session;
  private final Cache cache;
  private final SqliteRuns runs;
  private final Instant now;

  ClaimScan(Session session, Cache cache, SqliteRuns runs, Instant now) {
    this.session = session;
    this.cache = cache;
    this.runs = runs;
    this.now = now;
  }

  @Override
  public boolean admits(String type, String runtime) throws SQLException {
    @Nullable Map<String, TypeState> types = cache.types;
    if (types == null) {
      types = new HashMap<>();
      for (TypeState state : session.sql("types").all(Readers::type)) {
        types.put(state.type(), state);
      }
      cache.types = types;
    }
    @Nullable TypeState state = types.get(type);
    return state == null || state.admits(runtime);
  }

  /**
   * The types that the routes lead to and that admit the runtime; of those a prefix stands for, the
   * ones that have something to claim some day.
   */
  private Collection<String> types(Routes routes, String runtime) throws SQLException {
    Set<String> types = new TreeSet<>(routes.types());
    for (String prefix : routes.prefixes()) {
      Optional<String> type = session.sql("first-type").with(prefix).first(Row::text);
      while (type.isPresent() && type.get().startsWith(prefix)) {
        types.add(type.get());
        type = session.sql("next-type").with(type.get()).first(Row::text);
      }
    }
    List<String> enabled = new ArrayList<>();
    for (String type : types) {
      if (admits(type, runtime)) {
        enabled.add(type);
      }
    }
    return enabled;
  }

  @Override
  public List<Known> due(Routes routes, String runtime, int max) throws SQLException {
    List<Known> found = new ArrayList<>();
    for (Candidate candidate : due(types(routes, runtime), max)) {
      found.add(runs.get(candidate));
    }
    return found;
  }

  private List<Candidate> due(Collection<String> types, int max) throws SQLException {
    PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparingLong(Head::rank));
    for (String type : types) {
      next(type, Long.MIN_VALUE).ifPresent(heads::add);
    }
    List<Candidate> found = new ArrayList<>();
    while (found.size() < max && !heads.isEmpty()) {
      long rank = heads.element().rank();
      List<Candidate> inRank = new ArrayList<>();
      while (!heads.isEmpty() && heads.element().rank() == rank) {
        Head head = heads.remove();
        if (head.due() <= now.toEpochMilli()) {
          inRank.addAll(due(head, max - found.size()));
        }
        next(head.type(), rank).ifPresent(heads::add);
      }
      inRank.sort(Comparator.comparingLong(Candidate::due).thenComparing(Candidate::id));
      found.addAll(inRank.subList(0, Math.min(inRank.size(), max - found.size())));
    }
    return found;
  }

  @Override
  public Optional<Instant> later(Routes routes, String runtime) throws SQLException {
    long earliest = Long.MAX_VALUE;
    for (String type : types(routes, runtime)) {
      Optional<Head> head = next(type, Long.MIN_VALUE);
      while (head.isPresent()) {
        earliest = Math.min(earliest, later(head.get()));
        head = next(type, head.get().rank());
      }
    }
    return earliest == Long.MAX_VALUE
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(earliest));
  }

  private long later(Head head) throws SQLException {
    if (head.due() > now.toEpochMilli()) {
      return head.due();
    }
    return session
        .sql("later-in-rank")
        .with(head.type())
        .with(head.rank())
        .with(now)
        .first(Row::number)
        .orElse(Long.MAX_VALUE);
  }

  private Optional<Head> next(String type, long rank) throws SQLException {
    return session
        .sql("next-rank")
        .with(type)
        .with(rank)
        .first(row -> new Head(type, row.number(), row.number()));
  }

  private List<Candidate> due(Head head, int max) throws SQLException {
    return session
        .sql("due-in-rank")
        .with(head.type())
        .with(head.rank())
        .with(now)
        .with(max)
        .all(row -> new Candidate(row.number(), new RunId(row.uuid()), row.number()));
  }
}
