package dev.pawl.graph.run;

import dev.pawl.error.ErrorCode;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.fold.NodeState;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.NodeCode;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.time.Ticker;
import dev.pawl.work.Failures;
import dev.pawl.work.Retry;
import dev.pawl.work.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The life of one node: it takes batches, has the node's code work on them, and records how that
 * went. One thread runs it; while that waits for a batch, the execution may take a checkpoint.
 */
final class Actor implements Member {
  /** How often in a row a node may take its worker with it. */
  static final int MAX_CRASHES = 5;

  private final Execution execution;
  private final Wiring.Place place;
  private final NodeState past;
  private final Inbox inbox;
  private final Sync sync;
  private final Emission emission;
  private final Outlet errors;
  private final Retry retry;
  private final Ticker ticker;
  private volatile Outcome outcome = Outcome.OPEN;
  private volatile long millis;
  private Optional<Failure> failure = Optional.empty();
  private Optional<Json> state;
  private Map<String, Long> done = new HashMap<>();
  private int attempt;
  private boolean scheduled;
  private volatile boolean started;
  private boolean between;
  private int failures;
  private int failedEver;
  private long beganNanos;
  private Optional<Limit> limit = Optional.empty();
  private long checkpointedBatches;
  private @Nullable Batch current;
  private @Nullable NodeCode code;
  private @Nullable ActorContext context;

  Actor(
      Execution execution,
      Wiring.Place place,
      NodeState past,
      Inbox inbox,
      Sync sync,
      Emission emission,
      Outlet errors) {
    this.execution = execution;
    this.place = place;
    this.past = past;
    this.inbox = inbox;
    this.sync = sync;
    this.emission = emission;
    this.errors = errors;
    this.retry = own(place);
    this.ticker = execution.turn().platform().ticker();
    this.failedEver = past.failedEver();
    this.state = past.state();
    this.attempt = past.nextAttempt();
    this.scheduled = past.isAnnounced();
    this.failures = past.failures();
    for (Wiring.Wire wire : place.in()) {
      done.put(wire.id(), past.position(wire.id()));
    }
    done.put(Sync.BATCHES, past.position(Sync.BATCHES));
    checkpointedBatches = past.position(Sync.BATCHES);
    sync.seek(done);
    emission.rewind();
  }

  /** What of the policy is for the node: a child has its own attempts, or its own limit. */
  private static Retry own(Wiring.Place place) {
    Retry given = place.retry();
    return switch (place.type().role()) {
      case TASK -> Retry.none();
      case CHILD ->
          new Retry(
              given.maxAttempts(),
              given.curve(),
              given.initial(),
              given.factor(),
              given.cap(),
              given.jitter(),
              Optional.empty(),
              given.permanent());
      case PLAIN, INPUT, OUTPUT, TRIGGER -> given;
    };
  }

  @Override
  public Wiring.Place place() {
    return place;
  }

  @Override
  public Outcome outcome() {
    return outcome;
  }

  @Override
  public Optional<Failure> failure() {
    return failure;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public boolean isStarted() {
    return started;
  }

  @Override
  public Duration took() {
    boolean going = started && outcome == Outcome.OPEN;
    return Duration.ofMillis(going ? ticker.millisSince(beganNanos) : millis);
  }

  /** How often it failed since the beginning. */
  int failedEver() {
    return failedEver;
  }

  Optional<Json> state() {
    return state;
  }

  @Override
  public Inbox inbox() {
    return inbox;
  }

  // ---- the life ----

  @Override
  public void live() throws Exception {
    if (past.crashes() >= MAX_CRASHES) {
      attempt = past.attempt();
      started = true;
      fail(
          Failure.of(
                  ErrorCode.POISONED.name(),
                  "the worker died "
                      + past.crashes()
                      + " times in a row while it executed node '"
                      + place.id()
                      + "'")
              .from(source())
              .atAttempt(attempt));
      return;
    }
    past.retryAt().ifPresent(this::awaitRetry);
    while (outcome == Outcome.OPEN) {
      try {
        execute();
        complete();
      } catch (Stopped | StoreTrouble | Turn.LeaseLost e) {
        throw e;
      } catch (UpstreamFailed e) {
        giveUp();
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  private void execute() throws Exception {
    ActorContext own = new ActorContext(execution, this, place);
    NodeCode made = place.type().code(place.node().properties());
    context = own;
    code = made;
    switch (made) {
      case NodeCode.Batchwise batchwise -> eachBatch(batchwise, own);
      case NodeCode.Streaming streaming -> wholeStream(streaming, own);
    }
  }

  private void eachBatch(NodeCode.Batchwise batchwise, ActorContext own) throws Exception {
    try {
      while (nextBatch()) {
        Batch batch = current();
        begin(batch);
        own.batch(batch);
        emission.mark();
        bounded(() -> batchwise.process(own, batch, emission));
        current = null;
        if (place.type().mode() == NodeType.Mode.ONCE) {
          return;
        }
      }
    } finally {
      end(batchwise, own);
    }
  }

  private boolean nextBatch() throws Exception {
    if (current == null) {
      between = true;
      current = sync.next();
      between = false;
    }
    return current != null;
  }

  private Batch current() {
    Batch batch = current;
    if (batch == null) {
      throw new IllegalStateException("there is no batch");
    }
    return batch;
  }

  private void wholeStream(NodeCode.Streaming streaming, ActorContext own) throws Exception {
    boolean unused = sync.awaitFirst();
    begin(null);
    own.batch(null);
    try {
      bounded(() -> streaming.process(own, new Counted(own), emission));
    } finally {
      end(streaming, own);
    }
  }

  /** The batches of a node that reads them itself; its context knows which one it works on. */
  private final class Counted implements NodeCode.Batches {
    private final ActorContext own;

    Counted(ActorContext own) {
      this.own = own;
    }

    @Override
    public @Nullable Batch next() throws Exception {
      return known(sync.next());
    }

    @Override
    public @Nullable Batch poll() {
      return known(sync.poll());
    }

    private @Nullable Batch known(@Nullable Batch batch) {
      own.batch(batch);
      return batch;
    }
  }

  /** Records that the node is being executed, and waits until that is durable. */
  private void begin(@Nullable Batch first) throws Exception {
    if (started) {
      return;
    }
    record(first);
    if (!place.type().isPure()) {
      execution.journal().flush();
    }
    if (code != null && context != null) {
      code.initialize(context);
      context.initialized();
    }
  }

  private void record(@Nullable Batch first) {
    execution.journal().started(place, attempt, scheduled, first == null ? Json.NULL : names());
    started = true;
    scheduled = false;
    beganNanos = ticker.nanos();
  }

  /** The messages the node begins with, by their ids. */
  private Json names() {
    if (place.in().isEmpty()) {
      return Json.NULL;
    }
    Map<String, Object> names = new LinkedHashMap<>();
    Map<String, Long> positions = sync.positions();
    for (Wiring.Wire wire : place.in()) {
      long position = positions.getOrDefault(wire.id(), 0L);
      if (position > 0) {
        names.put(wire.edge().targetHandle(), wire.id() + "#" + (position - 1));
      }
    }
    return Tree.write(names);
  }

  private void bounded(Body body) throws Exception {
    if (retry.timeout().isPresent()) {
      limit = Optional.of(limit(retry.timeout().get()));
      Watchdog.call(place.id(), execution.turn(), retry.timeout().get(), body);
    } else {
      Turn.Interruptible interruptible = execution.turn().interruptible(Thread.currentThread());
      try {
        body.run();
      } finally {
        interruptible.close();
        Thread.interrupted();
      }
    }
  }

  /** One that was running before a suspension goes on; after a failure there is another. */
  private Limit limit(Duration length) {
    long batch = current == null ? 0 : current.number();
    String name = "limit of node '" + place.id() + "' #" + batch + "." + failedEver;
    Instant at = execution.past().timer(name).orElseGet(() -> execution.turn().now().plus(length));
    return new Limit(place.id(), at, name, length);
  }

  /** Until when the present call of the node's code may wait. */
  Optional<Limit> limit() {
    return limit;
  }

  /** The node's code, called. */
  interface Body {
    void run() throws Exception;
  }

  private static void end(NodeCode code, ActorContext own) throws Exception {
    if (own.isInitialized()) {
      code.finish(own);
    }
  }

  // ---- the ends ----

  private void complete() {
    if (!started) {
      record(null);
    }
    Map<String, Output> outputs = emission.all();
    millis = ticker.millisSince(beganNanos);
    execution.journal().completed(place, attempt, outputs, emission.counts(), millis);
    outcome = Outcome.COMPLETED;
    inbox.close();
    emission.end();
    errors.end(false);
  }

  /** A node before this one failed: this one has nothing to end with. */
  private void giveUp() {
    outcome = Outcome.VOID;
    inbox.close();
    execution.endAll(place, true);
    errors.end(true);
  }

  private void failed(Throwable error) {
    if (!started) {
      record(null);
    }
    Failure its = Failures.of(error, retry, attempt, source());
    failures++;
    failedEver++;
    if (its.retryable() && failures < retry.maxAttempts()) {
      Instant again =
          execution
              .turn()
              .now()
              .plus(retry.backoff(failures, execution.turn().platform().chance()));
      execution.journal().failed(place, attempt, its, Optional.of(again));
      attempt++;
      started = false;
      emission.rewind();
      if (!(code instanceof NodeCode.Batchwise)) {
        sync.seek(done);
      }
      awaitRetry(again);
    } else {
      fail(its);
    }
  }

  private Failure.Source source() {
    return new Failure.Source("node", place.id(), place.type().name());
  }

  private void awaitRetry(Instant at) {
    String name = "retry of node '" + place.id() + "'";
    execution.sleep(new Parking.Reason.Time(place.index(), at, name, Optional.empty()));
  }

  private void fail(Failure its) {
    millis = started && beganNanos != 0 ? ticker.millisSince(beganNanos) : 0;
    failure = Optional.of(its);
    execution.journal().failed(place, attempt, its, Optional.empty());
    outcome = Outcome.FAILED;
    inbox.close();
    if (place.hasErrorEdge()) {
      errors.append(Value.of(EventCodec.failure(its)));
    }
    execution.endAll(place, true);
    errors.end(false);
  }

  // ---- checkpoints ----

  /** What the node's code asks for: from here on it can go on. */
  void checkpoint(Json remembered) {
    state = Optional.of(remembered);
    done = sync.positions();
    emission.mark();
    failures = 0;
    execution
        .journal()
        .checkpointed(place, attempt, remembered, Optional.of(done), emission.fresh());
    execution.journal().flush();
  }

  /**
   * Called while the node waits and nothing in the graph moves: a node between two batches can go
   * on from here; of another, what it has put out is put on record.
   */
  @Override
  public void settle() {
    if (outcome != Outcome.OPEN || !started) {
      return;
    }
    boolean steady = between && sync.batches() > checkpointedBatches;
    Map<String, Output> fresh = emission.fresh();
    if (!steady && fresh.isEmpty()) {
      return;
    }
    if (steady) {
      done = sync.positions();
      checkpointedBatches = sync.batches();
      emission.mark();
      failures = 0;
    }
    execution
        .journal()
        .checkpointed(
            place,
            attempt,
            steady ? state.orElse(Json.NULL) : Json.NULL,
            steady ? Optional.of(done) : Optional.empty(),
            fresh);
  }

  @Override
  public void stop() {
    emission.stop();
    inbox.stop();
  }
}
