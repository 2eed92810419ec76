package dev.pawl.graph.run;

import dev.pawl.blob.Blob;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.graph.check.Wiring;
import dev.pawl.graph.fold.NodeState;
import dev.pawl.graph.fold.OutputsJson.Output;
import dev.pawl.graph.node.NodeCode;
import dev.pawl.graph.node.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node puts out. A stream is handed on at once; a single value is held back until the node's
 * result is recorded. What an earlier attempt has put out is not put out again. Of the node's own
 * thread alone; while that waits, others may ask what is new.
 */
final class Emission implements NodeCode.Outputs {
  private final Wiring.Place place;
  private final Map<String, Outlet> outlets;
  private final RunShelf shelf;
  private final Map<String, Value> held = new LinkedHashMap<>();
  private final Map<String, Blob> large = new LinkedHashMap<>();
  private volatile boolean stopped;
  private @Nullable String lastName;
  private @Nullable Outlet lastOutlet;

  Emission(Wiring.Place place, Map<String, Outlet> outlets, NodeState state, RunShelf shelf) {
    this.shelf = shelf;
    this.place = place;
    this.outlets = outlets;
    outlets.forEach((handle, outlet) -> outlet.mark(state.mark(handle)));
  }

  void stop() {
    stopped = true;
  }

  @Override
  public void put(String handle, @Nullable Object value) {
    if (stopped) {
      throw new Stopped();
    }
    Outlet outlet = outlet(handle);
    if (!outlet.isStream()) {
      if (held.putIfAbsent(handle, Value.of(value)) != null) {
        throw new PawlException(
            ErrorCode.BAD_VALUE,
            "node '"
                + place.id()
                + "' puts out one value on handle '"
                + handle
                + "', and has put out a second; its type should be one that gives streams");
      }
      return;
    }
    outlet.put(Value.of(value));
  }

  private Outlet outlet(String handle) {
    if (handle.equals(lastName) && lastOutlet != null) {
      return lastOutlet;
    }
    Outlet outlet = outlets.get(handle);
    if (outlet == null) {
      throw PawlException.badInput(
          "node '"
              + place.id()
              + "' has no output handle '"
              + handle
              + "'; it has "
              + outlets.keySet());
    }
    lastName = handle;
    lastOutlet = outlet;
    return outlet;
  }

  /** Begins an attempt where the last checkpoint was: what comes up to now was put out before. */
  void rewind() {
    held.clear();
    large.clear();
    outlets.values().forEach(Outlet::rewind);
  }

  /** What was put out up to now belongs to what is done. */
  void mark() {
    for (Outlet outlet : outlets.values()) {
      outlet.mark();
    }
  }

  /** What was put out and is not on record, by handle. */
  Map<String, Output> fresh() {
    Map<String, Output> fresh = new LinkedHashMap<>();
    outlets.forEach((handle, outlet) -> outlet.fresh().ifPresent(out -> fresh.put(handle, out)));
    return fresh;
  }

  /**
   * All that was put out, by handle, the values held back included. Large ones are in blobs when
   * this returns.
   */
  Map<String, Output> all() {
    Map<String, Output> all = new LinkedHashMap<>();
    outlets.forEach((handle, outlet) -> outlet.all().ifPresent(out -> all.put(handle, out)));
    held.forEach((handle, value) -> {
      Output output = shelf.output(value.json());
      all.put(handle, output);
      if (output instanceof Output.Large its) {
        large.put(handle, its.blob());
      }
    });
    return all;
  }

  Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    outlets.forEach((handle, outlet) -> counts.put(handle, outlet.count()));
    held.keySet().forEach(handle -> counts.put(handle, 1L));
    return counts;
  }

  /** Hands on what was held back, and ends every outlet. */
  void end() {
    held.forEach((handle, value) -> {
      Blob blob = large.get(handle);
      if (blob == null) {
        outlet(handle).append(value);
      } else {
        outlet(handle).append(value, blob);
      }
    });
    outlets.values().forEach(outlet -> outlet.end(false));
  }
}
