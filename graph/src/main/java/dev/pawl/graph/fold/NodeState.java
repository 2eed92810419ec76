package dev.pawl.graph.fold;

import dev.pawl.graph.definition.Tree;
import dev.pawl.json.Json;
import dev.pawl.log.Failure;
import dev.pawl.log.NodeEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the log says of one node. Not thread-safe; not changed once the log is folded. */
public final class NodeState {
  /** How far a node has come. */
  public enum Status {
    WAITING,
    SCHEDULED,
    STARTED,
    COMPLETED,
    FAILED
  }

  private Status status = Status.WAITING;
  private int attempt;
  private boolean announced;
  private int failures;
  private int failedEver;
  private int crashes;
  private long millis;
  private Optional<Json> state = Optional.empty();
  private final Map<String, Long> positions = new HashMap<>();
  private final Map<String, Long> marks = new HashMap<>();
  private final Map<String, List<OutputsJson.Output>> outputs = new LinkedHashMap<>();
  private Optional<Instant> retryAt = Optional.empty();
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<Instant> endedAt = Optional.empty();
  private Optional<Failure> failure = Optional.empty();

  void scheduled(NodeEvent.Scheduled event) {
    status = Status.SCHEDULED;
    attempt = event.attempt();
    announced = true;
  }

  void started(NodeEvent.Started event, Instant at) {
    status = Status.STARTED;
    announced = false;
    attempt = event.attempt();
    startedAt = startedAt.isPresent() ? startedAt : Optional.of(at);
    retryAt = Optional.empty();
  }

  void checkpointed(NodeEvent.Checkpointed event) {
    add(event.outputs());
    if (!event.positions().isNull()) {
      Tree.object(event.positions())
          .forEach((edge, count) -> positions.put(edge, count instanceof Long n ? n : 0L));
      state = Optional.of(event.state());
      outputs.keySet().forEach(handle -> marks.put(handle, count(handle)));
      crashes = 0;
      failures = 0;
    }
  }

  void completed(NodeEvent.Completed event, Instant at) {
    status = Status.COMPLETED;
    attempt = event.attempt();
    millis = event.millis();
    outputs.clear();
    add(event.outputs());
    endedAt = Optional.of(at);
    failure = Optional.empty();
  }

  private void add(Json more) {
    OutputsJson.read(more)
        .forEach((handle, output) ->
            outputs.computeIfAbsent(handle, name -> new ArrayList<>()).add(output));
  }

  void failed(NodeEvent.Failed event, Instant at) {
    status = event.retryAt().isPresent() ? Status.SCHEDULED : Status.FAILED;
    attempt = event.attempt() + (event.retryAt().isPresent() ? 1 : 0);
    announced = false;
    failures++;
    failedEver++;
    crashes = 0;
    retryAt = event.retryAt();
    failure = Optional.of(event.failure());
    endedAt = event.retryAt().isPresent() ? Optional.empty() : Optional.of(at);
  }

  /** Its worker died while it was being executed. */
  void crashed() {
    crashes += status == Status.STARTED ? 1 : 0;
  }

  /** An operator gave it another chance. */
  void reopened() {
    if (status == Status.FAILED) {
      status = Status.SCHEDULED;
      announced = false;
      attempt++;
      failures = 0;
      endedAt = Optional.empty();
    }
    crashes = 0;
  }

  public Status status() {
    return status;
  }

  /** The attempt that was last scheduled; 0 if none was. */
  public int attempt() {
    return attempt;
  }

  /** The number for the next execution: a started one is not continued under its own. */
  public int nextAttempt() {
    return switch (status) {
      case WAITING -> 1;
      case SCHEDULED -> attempt;
      case STARTED, COMPLETED, FAILED -> attempt + 1;
    };
  }

  /** Whether it is on record that the next execution is scheduled. */
  public boolean isAnnounced() {
    return announced;
  }

  /** How often it failed since it last got on. */
  public int failures() {
    return failures;
  }

  /** How often it failed since the beginning. */
  public int failedEver() {
    return failedEver;
  }

  /** How often in a row its worker died while it was being executed. */
  public int crashes() {
    return crashes;
  }

  public long millis() {
    return millis;
  }

  /** What its last checkpoint remembers. */
  public Optional<Json> state() {
    return state;
  }

  /** How many messages of an edge it is done with. */
  public long position(String edge) {
    return positions.getOrDefault(edge, 0L);
  }

  /** How many messages it had put out on a handle at its last checkpoint. */
  public long mark(String handle) {
    return marks.getOrDefault(handle, 0L);
  }

  /** What is on record as put out, by handle, in order. */
  public Map<String, List<OutputsJson.Output>> outputs() {
    return outputs;
  }

  /** How many messages are on record as put out on a handle. */
  public long count(String handle) {
    return outputs.getOrDefault(handle, List.of()).stream()
        .mapToLong(output ->
            switch (output) {
              case OutputsJson.Output.One one -> 1;
              case OutputsJson.Output.Large large -> 1;
              case OutputsJson.Output.Stream stream ->
                  stream.parts().stream().mapToLong(Recording.Part::count).sum();
            })
        .sum();
  }

  public Optional<Instant> retryAt() {
    return retryAt;
  }

  public Optional<Instant> startedAt() {
    return startedAt;
  }

  public Optional<Instant> endedAt() {
    return endedAt;
  }

  public Optional<Failure> failure() {
    return failure;
  }
}
