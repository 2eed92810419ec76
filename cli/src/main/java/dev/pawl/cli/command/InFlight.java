package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How many runs of a type have not ended, by the definition they are on. */
record InFlight(List<Count> byDefinition) {
  /** Beyond so many, the rest is not looked at. */
  private static final int MOST_RUNS = 20_000;

  /**
   * Runs on one definition.
   *
   * @param definition empty for those that have not begun
   * @param more whether there may be more that were not looked at
   */
  record Count(Optional<String> definition, int runs, boolean more) {}

  static InFlight of(Pawl pawl, String type) {
    Query query =
        Query.all()
            .withType(type)
            .withStatus(Status.PENDING, Status.RUNNING, Status.SUSPENDED)
            .withLimit(Query.MAX_LIMIT);
    Map<Optional<String>, Integer> counts = new LinkedHashMap<>();
    int seen = 0;
    List<Run> page = pawl.list(query);
    while (!page.isEmpty() && seen < MOST_RUNS) {
      page.forEach(run -> counts.merge(run.definition(), 1, Integer::sum));
      seen += page.size();
      page = pawl.list(query.withAfter(page.getLast().id()));
    }
    boolean more = !page.isEmpty();
    return new InFlight(
        counts.entrySet().stream()
            .map(count -> new Count(count.getKey(), count.getValue(), more))
            .toList());
  }
}
