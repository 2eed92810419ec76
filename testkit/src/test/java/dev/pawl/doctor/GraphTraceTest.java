package dev.pawl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.RunId;
import dev.pawl.time.Ids;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The seven invariants of graphs, each with a log that breaks it. */
class GraphTraceTest {
  private static final Instant T = Instant.parse("2030-01-01T00:00:00Z");
  private static final RunId ID = new RunId(Ids.next());

  private static Event created() {
    return new Event.Created(
        "g.v1",
        Json.NULL,
        100,
        T,
        Optional.empty(),
        3,
        Optional.empty(),
        ID,
        Bond.DETACHED,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty());
  }

  private static Event scheduled(int attempt) {
    return new NodeEvent.Scheduled("a", "t", attempt);
  }

  private static Event started(int attempt) {
    return new NodeEvent.Started("a", attempt, Json.NULL);
  }

  private static Event completed(int attempt) {
    return new NodeEvent.Completed("a", attempt, Json.EMPTY_OBJECT, 0);
  }

  private static Event failed(int attempt, boolean again) {
    return new NodeEvent.Failed(
        "a", attempt, Failure.of("C", "m"), again ? Optional.of(T) : Optional.empty());
  }

  private static Event input(String id) {
    return new NodeEvent.TriggerInput("t", id, Json.NULL, id, true);
  }

  private static Event advanced(String cursor) {
    return new NodeEvent.TriggerAdvanced("t", cursor, 1);
  }

  private static Event enqueued() {
    return new NodeEvent.OutboxEnqueued("a", "a.x>b.y", "a.x>b.y", Json.NULL);
  }

  private static Event sent() {
    return new NodeEvent.OutboxSent("a", "a.x>b.y", "a.x>b.y");
  }

  private static List<String> broken(Event... events) {
    List<Entry> log = new ArrayList<>();
    for (Event event : events) {
      log.add(new Entry(log.size() + 1, T, 1, event));
    }
    return brokenIn(log);
  }

  private static List<String> brokenIn(List<Entry> log) {
    GraphTrace trace = new GraphTrace();
    log.forEach(trace::take);
    Findings findings = new Findings(ID);
    trace.report(findings);
    return findings.violations().stream().map(Violation::invariant).toList();
  }

  @Test
  void aSoundLogPasses() {
    assertThat(
            broken(
                created(),
                scheduled(1),
                started(1),
                failed(1, true),
                scheduled(2),
                started(2),
                new NodeEvent.Checkpointed("a", 2, Json.NULL, Json.NULL, Json.NULL),
                completed(2),
                enqueued(),
                sent(),
                input("9"),
                input("10"),
                advanced("9"),
                advanced("10"),
                new Event.Succeeded(Json.NULL)))
        .isEmpty();
  }

  @Test
  void ordering() {
    assertThat(
            brokenIn(
                List.of(
                    new Entry(1, T, 1, created()),
                    new Entry(3, T, 1, scheduled(1)),
                    new Entry(2, T, 1, started(1)))))
        .contains("G1");
  }

  @Test
  void idempotency() {
    assertThat(broken(created(), scheduled(1), started(1), completed(1), completed(1)))
        .containsExactly("G2");
    assertThat(broken(created(), input("7"), input("7"))).containsExactly("G2");
    assertThat(broken(created(), enqueued(), enqueued())).containsExactly("G2");
    assertThat(broken(created(), enqueued(), sent(), sent())).containsExactly("G2");
  }

  @Test
  void causality() {
    assertThat(broken(created(), started(1), completed(1))).containsExactly("G3");
    assertThat(broken(created(), scheduled(1), started(2))).containsExactly("G3");
    assertThat(broken(created(), scheduled(1), completed(1))).containsExactly("G3");
    assertThat(broken(created(), scheduled(2), scheduled(1))).containsExactly("G3");
  }

  @Test
  void completeness() {
    assertThat(broken(scheduled(1))).containsExactly("G4");
  }

  @Test
  void terminality() {
    assertThat(broken(created(), scheduled(1), started(1), completed(1), scheduled(2)))
        .containsExactly("G5");
    assertThat(broken(created(), scheduled(1), new Event.Cancelled("so"), started(1)))
        .containsExactly("G5");
  }

  @Test
  void monotonicity() {
    assertThat(broken(created(), advanced("10"), advanced("9"))).containsExactly("G6");
    assertThat(broken(created(), advanced("b"), advanced("a"))).containsExactly("G6");
  }

  @Test
  void messageTraceability() {
    assertThat(broken(created(), sent())).containsExactly("G7");
  }

  @Test
  void whatARewindTakesBackIsForgotten() {
    Event rewound = new Event.Rewound("rewind", 1, T, "");
    assertThat(
            broken(
                created(),
                scheduled(1),
                started(1),
                completed(1),
                rewound,
                scheduled(1),
                started(1),
                completed(1)))
        .isEmpty();
    Event retried = new Event.Rewound("retry", 4, T, "");
    assertThat(
            broken(
                created(),
                scheduled(1),
                started(1),
                failed(1, false),
                retried,
                scheduled(2),
                started(2),
                completed(2)))
        .isEmpty();
  }
}
