package dev.pawl.graph;

import dev.pawl.Pawl;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * The graphs of the failure scenarios, and a second JVM that carries them out until it is killed:
 * {@code main} is its end, the instance is ours.
 */
final class Scenario implements AutoCloseable {
  static final String TYPE = "scenario.graph.v1";
  static final Duration LEASE = Duration.ofSeconds(1);

  record Number(long number) {}

  record Pair(long one, long other) {}

  /** n > a > b, a > d, c > b: where it is killed, and what is left to do, is up to the test. */
  static final Graph WEB =
      Graph.named("web")
          .node("n", "input")
          .node("a", "plus")
          .node("c", "plus")
          .node("b", "both")
          .node("d", "plus")
          .node("out", "output")
          .node("other", "output")
          .edge("n", "a")
          .edge("n", "c")
          .edge("a", "b.one")
          .edge("c", "b.other")
          .edge("a", "d")
          .edge("b", "out")
          .edge("d", "other")
          .build();

  static final Graph STREAM =
      Graph.named("stream")
          .node("n", "input")
          .node("count", "count")
          .node("sum", "sum")
          .node("first", "first")
          .node("out", "output")
          .node("early", "output")
          .edge("n", "count")
          .edge("count", "sum")
          .edge("count", "first")
          .edge("sum", "out")
          .edge("first", "early")
          .build();

  static final Graph TRIGGER =
      Graph.named("trigger")
          .node("offsets", "trigger.manual")
          .node("plus", "plus")
          .node("out", "output")
          .edge("offsets.value", "plus")
          .edge("plus", "out")
          .build();

  static final Map<String, Graph> GRAPHS = Map.of("web", WEB, "stream", STREAM, "trigger", TRIGGER);

  /** The engine on a file; the bodies of nodes tell where they are, and may stay there. */
  static Pawl open(Path file, Graph graph, Consumer<String> body) {
    NodeType plus =
        NodeType.each(
            "plus",
            Number.class,
            Number.class,
            (c, in) -> {
              body.accept(c.node() + " " + in.number);
              return new Number(in.number + 1);
            });
    NodeType both =
        NodeType.each(
            "both",
            Pair.class,
            Number.class,
            (c, in) -> {
              body.accept(c.node());
              return new Number(in.one * 10 + in.other);
            });
    NodeType count =
        NodeType.streamOut(
            "count",
            Number.class,
            Number.class,
            (c, in, out) -> {
              body.accept(c.node());
              for (long i = 0; i < in.number; i++) {
                out.emit(new Number(i));
              }
            });
    NodeType sum =
        NodeType.streamIn(
            "sum",
            Number.class,
            Number.class,
            (c, in) -> {
              long total = 0;
              for (Number next = in.next(); next != null; next = in.next()) {
                body.accept(c.node() + " " + next.number);
                total += next.number;
              }
              return new Number(total);
            });
    NodeType first =
        NodeType.once(
            "first",
            Number.class,
            Number.class,
            (c, in) -> {
              body.accept(c.node());
              return in;
            });
    Pawl pawl = Pawl.open("sqlite:" + file);
    pawl.register(GraphType.of(TYPE, graph, Nodes.with(plus, both, count, sum, first)));
    return pawl;
  }

  private final Process process;
  private final BufferedReader output;

  private Scenario(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /** Another process that works on the file, and stays for ever in the bodies named. */
  static Scenario start(Path file, String graph, String... stays) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
            java,
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Scenario.class.getName(),
            file.toString(),
            graph,
            String.join(",", stays));
    return new Scenario(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  public static void main(String[] arguments) throws Exception {
    List<String> stays = List.of(arguments[2].split(","));
    Graph graph = GRAPHS.get(arguments[1]);
    Pawl pawl =
        open(
            Path.of(arguments[0]),
            graph,
            place -> {
              System.out.println(place);
              System.out.flush();
              if (stays.contains(place)) {
                stayForEver();
              }
            });
    pawl.work(w -> w.lease(LEASE).poll(Duration.ofMillis(20)));
    stayForEver();
  }

  private static void stayForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until it says this. */
  void awaitLine(String wanted) {
    try {
      String line = output.readLine();
      while (line != null && !line.equals(wanted)) {
        line = output.readLine();
      }
      if (line == null) {
        throw new AssertionError("the other process ended without saying '" + wanted + "'");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
