package dev.pawl.script;

import dev.pawl.Pawl;
import dev.pawl.flow.Flow;
import dev.pawl.json.Json;
import dev.pawl.json.JsonType;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.work.RunType;
import dev.pawl.work.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures by hand how many runs a second there are on SQLite that each await three tasks, one
 * after the other: as scripts, and as flows for comparison. Arguments: how many, {@code script} or
 * {@code flow}, how often.
 */
final class Throughput {
  private static final String SOURCE =
      """
      const order = { id: Inputs.id, lines: [], total: 0 }
      for (let i = 0; i < 3; i++) {
        const price = await Task.run("price.v1", { id: order.id, line: i })
        order.lines.push({ line: i, price })
        order.total += price
      }
      return order.total
      """;
  private static final Task<Json, Json> PRICE =
      Task.json("price.v1", (context, input) -> Json.number(7));
  private static final Flow<Json, Integer> FLOW =
      Flow.define(
          "three.v1",
          Json.class,
          Integer.class,
          (ctx, in) -> {
            int total = 0;
            for (int i = 0; i < 3; i++) {
              Json asked = Json.parse("{\"id\":" + in.member("id").text() + ",\"line\":" + i + "}");
              total += Integer.parseInt(ctx.call(PRICE, asked).text());
            }
            return total;
          });

  private Throughput() {}

  public static void main(String[] args) throws Exception {
    int runs = Integer.parseInt(args[0]);
    boolean scripts = args[1].equals("script");
    for (int round = 0; round < Integer.parseInt(args[2]); round++) {
      Path directory = Files.createTempDirectory("throughput");
      try (Pawl pawl = Pawl.open("sqlite:" + directory.resolve("t.db"))) {
        measure(pawl, runs, scripts);
      }
    }
  }

  private static void measure(Pawl pawl, int runs, boolean scripts) {
    RunType<Json, Json> type = Task.json("three.v1", (context, input) -> input);
    pawl.register(PRICE);
    if (scripts) {
      pawl.register(Scripts.all());
      Scripts.deploy(pawl, "three.v1", SOURCE);
    } else {
      pawl.register(FLOW);
    }
    List<Json> inputs = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      inputs.add(Json.parse("{\"id\":" + i + "}"));
    }
    List<RunId> ids =
        new ArrayList<>(pawl.startAll(type, inputs).stream().map(handle -> handle.id()).toList());
    long began = System.nanoTime();
    pawl.work(w -> w.concurrency(256));
    Collections.reverse(ids);
    for (RunId id : ids) {
      int total = pawl.handle(id, JsonType.of(Integer.class)).result();
      if (total != 21) {
        throw new IllegalStateException("run " + id + " gave " + total);
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    List<Integer> sizes =
        pawl.log(ids.get(0)).stream()
            .filter(entry -> entry.event() instanceof Event.Suspended)
            .map(entry -> ((Event.Suspended) entry.event()).snapshot().text().length())
            .toList();
    System.out.printf(
        "%d %s in %.1f s: %.0f runs/s, %.0f with their tasks; snapshots of %s characters%n",
        runs, scripts ? "scripts" : "flows", seconds, runs / seconds, 4 * runs / seconds, sizes);
  }
}
