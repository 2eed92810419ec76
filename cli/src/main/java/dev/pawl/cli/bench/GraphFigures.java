package dev.pawl.cli.bench;

import dev.pawl.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What graphs cost.
 *
 * @param nodeMicros how long a no-op node takes in a chain of them, one graph at a time
 * @param stepMicros how long a no-op step takes in a flow of as many
 * @param messageNanos how long a message takes from one Java node to the next, nothing blocking
 * @param millionSeconds how long a million messages take through a chain of ten nodes
 * @param startMillis how long it takes until the first of 5,000 nodes side by side has run, and all
 *     have begun
 */
public record GraphFigures(
    double nodeMicros,
    double stepMicros,
    double messageNanos,
    double millionSeconds,
    double startMillis) {

  /** How much more a node costs than a step. */
  public double nodeOverStep() {
    return nodeMicros / stepMicros;
  }

  public Json json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("work", "graph");
    members.put("system", "pawl");
    members.put("nodeMicros", nodeMicros);
    members.put("stepMicros", stepMicros);
    members.put("nodeOverStep", nodeOverStep());
    members.put("messageNanos", messageNanos);
    members.put("millionMessagesSeconds", millionSeconds);
    members.put("fiveThousandNodesStartMillis", startMillis);
    return dev.pawl.json.JsonCodec.encode(members);
  }
}
