package dev.pawl.store;

import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.util.Optional;
import java.util.Set;

/**
 * Which runs to list, newest first. Empty filters let everything through; deleted runs are never
 * listed.
 *
 * @param type a type, or a prefix that ends in {@code %}
 * @param after the last run of the page before
 */
public record Query(
    Set<Status> statuses,
    Optional<String> type,
    Optional<RunId> parent,
    Optional<String> worker,
    Optional<RunId> after,
    int limit) {

  public static final int MAX_LIMIT = 1000;

  public Query {
    statuses = Set.copyOf(statuses);
    limit = Math.max(1, Math.min(limit, MAX_LIMIT));
  }

  public static Query all() {
    return new Query(
        Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 50);
  }

  public Query withStatus(Status... wanted) {
    return new Query(Set.of(wanted), type, parent, worker, after, limit);
  }

  public Query withType(String pattern) {
    return new Query(statuses, Optional.of(pattern), parent, worker, after, limit);
  }

  public Query withParent(RunId id) {
    return new Query(statuses, type, Optional.of(id), worker, after, limit);
  }

  public Query withWorker(String id) {
    return new Query(statuses, type, parent, Optional.of(id), after, limit);
  }

  public Query withAfter(RunId last) {
    return new Query(statuses, type, parent, worker, Optional.of(last), limit);
  }

  public Query withLimit(int number) {
    return new Query(statuses, type, parent, worker, after, number);
  }
}
