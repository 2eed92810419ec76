package dev.pawl.cli.bench;

import dev.pawl.Pawl;
import dev.pawl.flow.Flow;
import dev.pawl.graph.GraphType;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.GraphBuilder;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Measures graphs on one store, through the public API, with the worker in the same process. */
public final class GraphBench {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int CHAIN = 50;
  private static final int ROUNDS = 20;
  private static final int MILLION = 1_000_000;
  private static final int WIDE = 5000;

  record Amount(long number) {}

  private static final NodeType NOTHING =
      NodeType.each("nothing", Amount.class, Amount.class, (c, in) -> in);
  private static final NodeType COUNT =
      NodeType.streamOut(
          "count",
          Amount.class,
          Amount.class,
          (c, in, out) -> {
            for (long i = 0; i < in.number; i++) {
              out.emit(new Amount(i));
            }
          });
  private static final NodeType SUM =
      NodeType.streamIn(
          "sum",
          Amount.class,
          Amount.class,
          (c, in) -> {
            long sum = 0;
            for (Amount next = in.next(); next != null; next = in.next()) {
              sum += next.number;
            }
            return new Amount(sum);
          });

  private final String url;
  private final Runnable progress;

  /**
   * @param progress told after each part
   */
  public GraphBench(String url, Runnable progress) {
    this.url = url;
    this.progress = progress;
  }

  public GraphFigures measure() {
    AtomicLong began = new AtomicLong();
    CountDownLatch[] all = {new CountDownLatch(0)};
    NodeType meet =
        NodeType.each(
            "meet",
            Amount.class,
            Amount.class,
            (c, in) -> {
              all[0].countDown();
              began.set(System.nanoTime());
              all[0].await();
              return in;
            });
    NodeTypes types = Nodes.with(NOTHING, COUNT, SUM, meet);
    GraphType chain = GraphType.of("bench.chain.v1", chain("nothing", CHAIN), types);
    GraphType pair = GraphType.of("bench.pair.v1", stream(0), types);
    GraphType ten = GraphType.of("bench.ten.v1", stream(8), types);
    GraphType wide = GraphType.of("bench.wide.v1", wide(), types);
    Flow<Integer, Integer> flow = Subjects.steps("bench.flow50.v1", CHAIN);
    try (Pawl pawl = Pawl.open(url)) {
      pawl.register(chain).register(pair).register(ten).register(wide).register(flow).work();
      double step = 0;
      double node = 0;
      for (int round = 0; round < 3; round++) {
        step = perPart(() -> pawl.start(flow, 1).result(PATIENCE));
        node = perPart(() -> run(pawl, chain, 1));
      }
      progress.run();
      double two = best(3, () -> run(pawl, pair, MILLION));
      progress.run();
      double million = best(3, () -> run(pawl, ten, MILLION));
      progress.run();
      double start = Double.MAX_VALUE;
      for (int round = 0; round < 3; round++) {
        all[0] = new CountDownLatch(WIDE);
        long from = System.nanoTime();
        run(pawl, wide, 1);
        start = Math.min(start, (began.get() - from) / 1e6);
      }
      progress.run();
      return new GraphFigures(node, step, two * 1e9 / MILLION, million, start);
    }
  }

  private static void run(Pawl pawl, GraphType type, long n) {
    pawl.start(type, Json.parse("{\"n\":" + n + "}")).result(PATIENCE);
  }

  /** Microseconds for one of the parts of a run. */
  private static double perPart(Runnable run) {
    long start = System.nanoTime();
    for (int i = 0; i < ROUNDS; i++) {
      run.run();
    }
    return (System.nanoTime() - start) / 1e3 / ROUNDS / CHAIN;
  }

  private static double best(int times, Runnable run) {
    double best = Double.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      run.run();
      best = Math.min(best, (System.nanoTime() - start) / 1e9);
    }
    return best;
  }

  private static Graph chain(String type, int length) {
    GraphBuilder graph = Graph.named("chain").node("n", "input");
    String last = "n";
    for (int i = 0; i < length; i++) {
      graph.node("node" + i, type).edge(last, "node" + i);
      last = "node" + i;
    }
    return graph.build();
  }

  /** A stream from one node to another, through so many between them. */
  private static Graph stream(int between) {
    GraphBuilder graph = Graph.named("stream").node("n", "input").node("count", "count");
    graph.edge("n", "count");
    String last = "count";
    for (int i = 0; i < between; i++) {
      graph.node("pass" + i, "nothing").edge(last, "pass" + i);
      last = "pass" + i;
    }
    return graph
        .node("sum", "sum")
        .node("out", "output")
        .edge(last, "sum")
        .edge("sum", "out")
        .build();
  }

  private static Graph wide() {
    GraphBuilder graph = Graph.named("wide");
    for (int i = 0; i < WIDE; i++) {
      graph.node("node" + i, "meet", Map.of("number", i));
    }
    return graph.build();
  }
}
