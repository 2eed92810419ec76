package dev.pawl.graph.node;

import dev.pawl.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One message for each input handle. A handle that got none has what the property of its name says,
 * or null. Immutable.
 */
public final class Batch {
  private final List<Handle> handles;
  private final Value[] values;
  private final Json properties;
  private final long number;

  /**
   * A batch.
   *
   * @param values in the order of the handles
   * @param properties the node's, or those a control edge has put in their place
   * @param number how many batches came before
   */
  public Batch(List<Handle> handles, Value[] values, Json properties, long number) {
    this.handles = handles;
    this.values = values;
    this.properties = properties;
    this.number = number;
  }

  public Value get(String handle) {
    for (int i = 0; i < values.length; i++) {
      if (handles.get(i).name().equals(handle)) {
        return values[i];
      }
    }
    return Value.NULL;
  }

  /** The value of the handle at this place of the shape. */
  public Value get(int handle) {
    return values[handle];
  }

  public Json properties() {
    return properties;
  }

  public long number() {
    return number;
  }

  /** The values by name. */
  public Map<String, Value> values() {
    Map<String, Value> named = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      named.put(handles.get(i).name(), values[i]);
    }
    return named;
  }
}
