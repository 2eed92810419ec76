package dev.pawl.graph.run;

import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.definition.Node;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.NodeCode;
import dev.pawl.graph.node.Value;
import dev.pawl.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts the messages of a node's handles together to batches, as the node asks for it. Of the node's
 * own thread alone; while that waits here, others may ask for positions.
 */
final class Sync implements NodeCode.Batches {
  /** The name under which positions count the batches. */
  static final String BATCHES = "#";

  private final Wiring.Place place;
  private final Inbox inbox;
  private final List<Handle> handles;
  private final @Nullable Feed[] feeds;
  private final @Nullable Feed control;
  private final List<Feed> connected = new ArrayList<>();
  private final Value[] constants;
  private final boolean zip;

  /** The one feed of a node that has no more, where nothing must be put together. */
  private final @Nullable Feed only;

  private Json properties;
  private long batches;
  private boolean stopped;

  Sync(Wiring.Place place, Inbox inbox, Map<Integer, Line> lines) {
    this.place = place;
    this.inbox = inbox;
    this.handles = place.shape().inputs();
    this.feeds = new Feed[handles.size()];
    this.constants = new Value[handles.size()];
    this.properties = place.node().properties();
    for (int i = 0; i < feeds.length; i++) {
      feeds[i] = feed(i, lines);
      constants[i] = Value.of(properties.member(handles.get(i).name()));
    }
    this.control = feed(Wiring.CONTROL, lines);
    this.zip =
        place.node().sync() == Node.Sync.ZIP_ALL && connected.stream().anyMatch(Feed::isStream);
    boolean simple = connected.size() == 1 && control == null && !connected.get(0).isCollecting();
    this.only = simple ? connected.get(0) : null;
  }

  private @Nullable Feed feed(int handle, Map<Integer, Line> lines) {
    List<Wiring.Wire> wires = place.into(handle);
    if (wires.isEmpty()) {
      return null;
    }
    boolean collects = handle != Wiring.CONTROL && place.collects(handle);
    boolean stream = wires.size() > 1 || wires.stream().anyMatch(Wiring.Wire::stream);
    List<Line> its = wires.stream().map(wire -> lines.get(wire.index())).toList();
    Feed feed = new Feed(its, wires.stream().map(Wiring.Wire::id).toList(), collects, stream);
    connected.add(feed);
    return feed;
  }

  /** Goes to where the node had come. */
  void seek(Map<String, Long> positions) {
    batches = positions.getOrDefault(BATCHES, 0L);
    stopped = false;
    for (Feed feed : connected) {
      boolean keepsLatest = zip ? !feed.isStream() : connected.size() > 1;
      feed.seek(positions, keepsLatest);
    }
  }

  /** How many messages of each edge were taken, and how many batches made of them. */
  Map<String, Long> positions() {
    Map<String, Long> positions = new LinkedHashMap<>();
    connected.forEach(feed -> feed.positions(positions));
    positions.put(BATCHES, batches);
    return positions;
  }

  long batches() {
    return batches;
  }

  @Override
  public @Nullable Batch next() throws Exception {
    while (true) {
      long seen = inbox.version();
      Batch batch = poll();
      if (batch != null) {
        return batch;
      }
      if (isOver()) {
        return null;
      }
      inbox.await(seen);
    }
  }

  /** Waits until there is a batch, or there will be none; tells which. */
  boolean awaitFirst() throws Exception {
    while (true) {
      long seen = inbox.version();
      connected.forEach(Feed::settle);
      if (isReady()) {
        return true;
      }
      if (isOver()) {
        return false;
      }
      inbox.await(seen);
    }
  }

  @Override
  public @Nullable Batch poll() {
    if (stopped) {
      return null;
    }
    if (only != null) {
      return only.isReady() ? make(only.take()) : null;
    }
    connected.forEach(Feed::settle);
    if (!isReady()) {
      return null;
    }
    if (connected.isEmpty()) {
      return make();
    }
    if (zip) {
      connected.stream().filter(feed -> feed.isStream() || isNew(feed)).forEach(Feed::take);
    } else if (hasAll()) {
      connected.stream().filter(Feed::isReady).findFirst().ifPresent(Feed::take);
    } else {
      connected.stream().filter(this::isNew).forEach(Feed::take);
    }
    return control == null ? make() : ordered(control.latest());
  }

  private boolean isNew(Feed feed) {
    return !feed.hasLatest() && feed.isReady();
  }

  private boolean hasAll() {
    return connected.stream().allMatch(Feed::hasLatest);
  }

  private boolean isReady() {
    if (connected.isEmpty()) {
      return batches == 0;
    }
    if (zip) {
      return connected.stream()
          .allMatch(feed -> feed.isStream() ? feed.isReady() : feed.hasLatest() || feed.isReady());
    }
    if (hasAll()) {
      return batches == 0 || connected.stream().anyMatch(Feed::isReady);
    }
    return connected.stream().allMatch(feed -> feed.hasLatest() || feed.isReady());
  }

  private Batch make(Value one) {
    if (handles.size() > 1) {
      return make();
    }
    return new Batch(handles, new Value[] {one}, properties, batches++);
  }

  private Batch make() {
    Value[] values = new Value[feeds.length];
    for (int i = 0; i < values.length; i++) {
      Feed feed = feeds[i];
      values[i] = feed == null ? constants[i] : feed.latest();
    }
    return new Batch(handles, values, properties, batches++);
  }

  /** Carries out an order: to stop, or to go on with other properties. */
  private @Nullable Batch ordered(Value order) {
    Map<String, @Nullable Object> members = Tree.object(order.json());
    if (Boolean.TRUE.equals(members.get("stop"))) {
      stopped = true;
      return null;
    }
    Map<String, @Nullable Object> merged =
        new LinkedHashMap<>(Tree.object(place.node().properties()));
    merged.putAll(Tree.object(order.json().member("properties")));
    properties = Tree.write(merged);
    for (int i = 0; i < constants.length; i++) {
      constants[i] = Value.of(properties.member(handles.get(i).name()));
    }
    return make();
  }

  /**
   * Whether there will be no batch any more. A handle that has run dry ends it, whatever became of
   * the others; one that ended in a failure does so only if the others could have gone on: who was
   * first to end must not matter.
   */
  private boolean isOver() throws UpstreamFailed {
    if (stopped || connected.isEmpty()) {
      return stopped || batches > 0;
    }
    boolean failed = false;
    boolean undecided = false;
    boolean allOver = true;
    for (Feed feed : connected) {
      boolean over = feed.isOver();
      boolean lacking = over && (!feed.hasLatest() || (zip && feed.isStream()));
      if (lacking && !feed.isFailed()) {
        return true;
      }
      failed |= lacking || (over && feed.isFailed());
      undecided |= !over && !canGoOn(feed);
      allOver &= over;
    }
    boolean lost = connected.stream().anyMatch(this::isLost);
    if (allOver ? failed : lost && !undecided) {
      throw new UpstreamFailed();
    }
    return allOver;
  }

  private boolean isLost(Feed feed) {
    return feed.isOver() && feed.isFailed() && (!feed.hasLatest() || (zip && feed.isStream()));
  }

  private boolean canGoOn(Feed feed) {
    return feed.isReady() || (feed.hasLatest() && !(zip && feed.isStream()));
  }
}
