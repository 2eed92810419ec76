package dev.pawl.bench.report;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A result as one line for programs. */
public final class JsonLines {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private JsonLines() {}

  public static String line(Result result) {
    ObjectNode line =
        JSON.createObjectNode()
            .put("work", result.work().word())
            .put("system", result.system())
            .put("store", result.store())
            .put("concurrency", result.concurrency())
            .put("runsPerSecond", round(result.runsPerSecond()))
            .put("p50Millis", round(result.p50Millis()))
            .put("p99Millis", round(result.p99Millis()))
            .put("runs", result.runs())
            .put("seconds", round(result.seconds()))
            .put("rounds", result.rounds().size())
            .put("spread", round(result.spread()))
            .put("othersCpu", round(result.strangers()))
            .put("durable", result.durable())
            .put("durability", result.durability())
            .put("settings", result.settings());
    result.stored().ifPresent(stored -> line.put("storedRuns", stored));
    Map<String, Double> more = new java.util.TreeMap<>();
    result.moreNames().forEach(name -> more.put(name, result.more(name).orElse(0.0)));
    more.forEach((name, value) -> line.put(name, round(value)));
    return JSON.writeValueAsString(line);
  }

  private static double round(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
