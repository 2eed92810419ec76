package dev.pawl.graph.run;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobStore;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.NodeContext;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.work.FailedException;
import dev.pawl.work.Failures;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one execution of a node may ask for. */
final class ActorContext implements NodeContext {
  private final Execution execution;
  private final Actor actor;
  private final Wiring.Place place;
  private @Nullable Batch batch;
  private @Nullable Object resource;
  private boolean initialized;
  private int sleeps;

  ActorContext(Execution execution, Actor actor, Wiring.Place place) {
    this.execution = execution;
    this.actor = actor;
    this.place = place;
  }

  void batch(@Nullable Batch next) {
    batch = next;
    sleeps = 0;
  }

  void initialized() {
    initialized = true;
  }

  boolean isInitialized() {
    return initialized;
  }

  @Override
  public RunId run() {
    return execution.turn().run().id();
  }

  @Override
  public Json payload() {
    return execution.turn().run().payload();
  }

  @Override
  public String node() {
    return place.id();
  }

  @Override
  public int attempt() {
    return actor.attempt();
  }

  @Override
  public Json properties() {
    return batch == null ? place.node().properties() : batch.properties();
  }

  @Override
  public boolean streams(String handle) {
    int number = place.shape().inputs().stream().map(Handle::name).toList().indexOf(handle);
    List<Wiring.Wire> wires = number < 0 ? List.of() : place.into(number);
    return wires.size() > 1 || wires.stream().anyMatch(Wiring.Wire::stream);
  }

  @Override
  public String key() {
    return execution.turn().run().type() + "/" + run() + "/" + place.id() + "#" + number();
  }

  private long number() {
    return batch == null ? 0 : batch.number();
  }

  @Override
  public Optional<Json> state() {
    return actor.state().filter(state -> !state.isNull());
  }

  @Override
  public void checkpoint(@Nullable Object state) {
    actor.checkpoint(JsonCodec.encode(state));
  }

  @Override
  public void sleep(Duration time) {
    String name = "node '" + place.id() + "' #" + number() + "." + sleeps++;
    Instant at = execution.past().timer(name).orElseGet(() -> execution.turn().now().plus(time));
    execution.sleep(new Parking.Reason.Time(place.index(), at, name, actor.limit()));
  }

  @Override
  public Instant now() {
    return execution.turn().now();
  }

  @Override
  public Child start(String type, Json payload, long number) {
    RunId child = execution.journal().child(place, message(type, payload, number), type, payload);
    return new Child() {
      @Override
      public RunId id() {
        return child;
      }

      @Override
      public Json result() {
        return resultOf(child);
      }
    };
  }

  /**
   * The message that starts a child for a batch. A child that failed before the node itself did is
   * not asked again; one that went well, or that nobody knows the end of, is.
   */
  private String message(String type, Json payload, long number) {
    String digest = Integer.toHexString((type + payload.text()).hashCode());
    int time = 0;
    String message = place.id() + "#" + number + "." + time + "~" + digest;
    while (time < actor.failedEver() && execution.hasFailed(message)) {
      time++;
      message = place.id() + "#" + number + "." + time + "~" + digest;
    }
    return message;
  }

  private Json resultOf(RunId child) {
    Event.ChildResult result = execution.awaitChild(place.index(), child, limitOf(child));
    execution.journal().childReceived(child);
    return switch (result) {
      case Event.ChildResult.Succeeded done -> done.value();
      case Event.ChildResult.Failed failed ->
          throw Failures.exception(
              isCutShort(child, failed.failure())
                  ? failed.failure().withRetryable(true)
                  : failed.failure());
      case Event.ChildResult.Cancelled cancelled ->
          throw FailedException.permanent(
              "CANCELLED", "child " + child + " was cancelled: " + cancelled.reason());
    };
  }

  /** Whether the child ended at the limit of this attempt: another has its own. */
  private boolean isCutShort(RunId child, Failure failure) {
    return place.type().role() == NodeType.Role.CHILD
        && failure.code().equals(ErrorCode.TIMEOUT.name())
        && execution.isOverdue(child);
  }

  /**
   * Until when a child is waited for. One that has a limit of its own ends by itself; if there is
   * nobody to see to that, it is given up a moment later.
   */
  private Optional<Limit> limitOf(RunId child) {
    Optional<Duration> length =
        place.type().role() == NodeType.Role.CHILD ? place.retry().timeout() : Optional.empty();
    return length
        .map(time ->
            new Limit(
                place.id(), execution.givenUpAt(child, time), "limit of child " + child, time))
        .or(actor::limit);
  }

  @Override
  public Blob blob(BlobStore.Content content) throws Exception {
    return execution.turn().archive().blobs().write(run(), content);
  }

  @Override
  public InputStream open(Blob blob) {
    return execution.turn().archive().blobs().open(blob);
  }

  @Override
  public void keep(Object kept) {
    resource = kept;
  }

  @Override
  public <T> T kept(Class<T> type) {
    if (!type.isInstance(resource)) {
      throw PawlException.badInput(
          "node '"
              + place.id()
              + "' asks for a "
              + type.getSimpleName()
              + ", and has kept "
              + (resource == null ? "nothing" : "a " + resource.getClass().getSimpleName()));
    }
    return type.cast(resource);
  }
}
