package dev.pawl.graph;

import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.GraphBuilder;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeTypes;
import dev.pawl.work.FailedException;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes graphs whose result does not depend on who comes first: streams meet only where one of each
 * is taken, or where their order does not matter.
 */
final class RandomGraph {
  static final int MOST_NODES = 60;

  record Number(long number) {}

  record Pair(long one, long other) {}

  record Numbers(List<Long> numbers) {}

  record Text(String text) {}

  record Told(Told.What told) {
    record What(String code) {}
  }

  private static final NodeType COUNT =
      NodeType.streamOut(
          "count",
          Number.class,
          Number.class,
          (c, in, out) -> {
            for (long i = 0; i < Math.floorMod(in.number, 17); i++) {
              out.emit(new Number(i));
            }
          });
  private static final NodeType DOUBLE =
      NodeType.each("double", Number.class, Number.class, (c, in) -> n(in.number * 2));
  private static final NodeType EVEN =
      NodeType.each(
          "even",
          Number.class,
          Number.class,
          (c, in) -> in.number % 2 == 0 ? n(in.number / 2) : null);
  private static final NodeType SUM =
      NodeType.streamIn(
          "sum",
          Number.class,
          Number.class,
          (c, in) -> {
            long sum = 7;
            for (Number next = in.next(); next != null; next = in.next()) {
              sum += next.number;
            }
            return n(sum);
          });
  private static final NodeType RUNNING =
      NodeType.stream(
          "running",
          Number.class,
          Number.class,
          (c, in, out) -> {
            long sum = c.state().map(state -> Long.parseLong(state.text())).orElse(0L);
            long read = 0;
            for (Number next = in.next(); next != null; next = in.next()) {
              sum += next.number;
              out.emit(n(sum));
              if (++read % 3 == 0) {
                c.checkpoint(sum);
              }
            }
          });
  private static final NodeType ADD =
      NodeType.each("add", Pair.class, Number.class, (c, in) -> n(in.one * 3 + in.other));
  private static final NodeType TOTAL =
      NodeType.each(
          "total",
          Numbers.class,
          Number.class,
          (c, in) -> n(in.numbers.stream().mapToLong(i -> i).sum()));
  private static final NodeType SHAKY =
      NodeType.each(
          "shaky",
          Number.class,
          Number.class,
          (c, in) -> {
            if (c.attempt() % 2 == 1) {
              throw new IllegalStateException("an odd attempt");
            }
            return n(in.number + 5);
          });
  private static final NodeType STUTTER =
      NodeType.stream(
          "stutter",
          Number.class,
          Number.class,
          (c, in, out) -> {
            long read = 0;
            for (Number next = in.next(); next != null; next = in.next()) {
              out.emit(next);
              if (++read == 4 && c.attempt() % 2 == 1) {
                throw new IllegalStateException("an odd attempt");
              }
            }
          });
  private static final NodeType BROKEN =
      NodeType.each(
          "broken",
          Number.class,
          Number.class,
          (c, in) -> {
            if (in.number % 3 == 0) {
              throw FailedException.permanent("THIRD", "a third number");
            }
            return in;
          });
  private static final NodeType TELL =
      NodeType.each("tell", Told.class, Number.class, (c, in) -> n(in.told.code.length()));

  private static final NodeType LARGE =
      NodeType.each(
          "large",
          Number.class,
          Text.class,
          (c, in) -> new Text("x".repeat(1_100_000 + (int) in.number % 100)));
  private static final NodeType LENGTH =
      NodeType.each("length", Text.class, Number.class, (c, in) -> n(in.text.length()));

  private static Number n(long number) {
    return new Number(Math.floorMod(number, 1_000_003));
  }

  private final SplittableRandom chance;
  private final GraphBuilder builder = Graph.named("random");
  private final List<String> ends = new ArrayList<>();
  private final List<String> used = new ArrayList<>();
  private int larges;

  private RandomGraph(SplittableRandom chance) {
    this.chance = chance;
  }

  static NodeTypes types() {
    return Nodes.with(
        COUNT, DOUBLE, EVEN, SUM, RUNNING, ADD, TOTAL, SHAKY, STUTTER, BROKEN, TELL, LARGE, LENGTH);
  }

  static Graph make(SplittableRandom chance) {
    return new RandomGraph(chance).make();
  }

  private Graph make() {
    int size = 6 + chance.nextInt(MOST_NODES - 6);
    add("constant", Map.of("value", chance.nextInt(100)), ".value");
    while (ends.size() + larges + loose() < size - 3) {
      step();
    }
    List<String> loose = ends.stream().filter(end -> !used.contains(end)).toList();
    for (int i = 0; i < loose.size(); i++) {
      builder.node("out" + i, "output").edge(loose.get(i), "out" + i + ".value");
    }
    return builder.build();
  }

  /** How many ends lead nowhere: each will be an output. */
  private long loose() {
    return ends.stream().filter(end -> !used.contains(end)).count();
  }

  private void step() {
    switch (chance.nextInt(13)) {
      case 0 -> add("constant", Map.of("value", chance.nextInt(100)), ".value");
      case 1, 2 -> fed("count", Map.of());
      case 3 -> fed("even", Map.of());
      case 4 -> fed("sum", Map.of());
      case 5 -> fed("running", Map.of());
      case 6 -> pair();
      case 7 -> total();
      case 8 -> retried("shaky");
      case 9 -> retried("stutter");
      case 10 -> broken();
      case 11 -> large();
      default -> fed("double", Map.of());
    }
  }

  private String add(String type, Object properties, String handle) {
    String id = type + ends.size();
    builder.node(id, type, properties);
    if (chance.nextInt(4) == 0) {
      builder.buffer(id, 1 + chance.nextInt(4));
    }
    ends.add(id + handle);
    return id;
  }

  private String any() {
    String end = ends.get(chance.nextInt(ends.size()));
    used.add(end);
    return end;
  }

  private String fed(String type, Object properties) {
    String from = any();
    String id = add(type, properties, ".number");
    builder.edge(from, id + ".number");
    return id;
  }

  private void retried(String type) {
    builder.retry(fed(type, Map.of()), Retry.fixed(100, Duration.ofSeconds(chance.nextInt(5))));
  }

  private void pair() {
    String one = any();
    String other = any();
    String id = add("add", Map.of(), ".number");
    builder.edge(one, id + ".one").edge(other, id + ".other").zip(id);
  }

  private void total() {
    List<String> from = new ArrayList<>();
    for (int i = 0; i < 2 + chance.nextInt(3); i++) {
      String end = any();
      if (!from.contains(end)) {
        from.add(end);
      }
    }
    String id = add("total", Map.of(), ".number");
    from.forEach(end -> builder.edge(end, id + ".numbers"));
  }

  /** A node with outputs that are too large for the log, and one that takes them. */
  private void large() {
    String from = any();
    String id = "large" + ends.size();
    larges++;
    builder.node(id, "large").edge(from, id + ".number");
    String taker = add("length", Map.of(), ".number");
    builder.edge(id + ".text", taker + ".text");
  }

  /** A node that may fail for good, and one that takes its failure. */
  private void broken() {
    String id = fed("broken", Map.of());
    String taker = add("tell", Map.of(), ".number");
    builder.error(id, taker + ".told");
  }
}
