package dev.pawl.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.blob.Blob;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Entry;
import dev.pawl.log.EventCodec;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.testkit.Await;
import dev.pawl.testkit.Invariants;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Outputs that are too large for the log. */
@Timeout(60)
class GraphBlobTest {
  private static final int LARGE = 2 * 1024 * 1024;
  private static final String TYPE = "test.blobs.v1";

  record Size(long size) {}

  record Text(String text) {}

  record Content(Blob content) {}

  private final AtomicInteger made = new AtomicInteger();
  private final AtomicBoolean broken = new AtomicBoolean();

  private final NodeType write =
      NodeType.each(
          "write",
          Size.class,
          Text.class,
          (c, in) -> {
            made.incrementAndGet();
            return new Text("é".repeat((int) in.size));
          });
  private final NodeType measure =
      NodeType.each(
          "measure",
          Text.class,
          Size.class,
          (c, in) -> {
            if (broken.get()) {
              throw FailedException.permanent("BROKEN", "not now");
            }
            return new Size(in.text.length());
          });
  private static final NodeType STREAM =
      NodeType.each(
          "stream",
          Size.class,
          Content.class,
          (c, in) ->
              new Content(
                  c.blob(out -> {
                    for (long i = 0; i < in.size; i++) {
                      out.write((int) i);
                    }
                  })));
  private static final NodeType COUNT =
      NodeType.each(
          "count",
          Content.class,
          Size.class,
          (c, in) -> {
            try (InputStream content = c.open(in.content)) {
              return new Size(content.readAllBytes().length);
            }
          });

  private static final Graph MEASURED =
      Graph.named("measured")
          .node("size", "input")
          .node("write", "write")
          .node("measure", "measure")
          .node("length", "output")
          .edge("size", "write")
          .edge("write", "measure")
          .edge("measure", "length")
          .build();

  @TempDir Path directory;
  private Pawl pawl = Pawl.open("memory:");

  @AfterEach
  void close() {
    Invariants.check(pawl.store());
    pawl.close();
  }

  private RunHandle<Json> start(Graph graph, String payload) {
    GraphType type = GraphType.of(TYPE, graph, Nodes.with(write, measure, STREAM, COUNT));
    pawl.register(type).work();
    return pawl.start(type, Json.parse(payload));
  }

  private long logChars(RunId run) {
    return pawl.log(run).stream().map(Entry::event).mapToLong(GraphBlobTest::chars).sum();
  }

  private static long chars(dev.pawl.log.Event event) {
    return EventCodec.data(event).text().length();
  }

  @Test
  void aLargeOutputIsNotInTheLogAndReachesTheNextNode() {
    RunHandle<Json> run = start(MEASURED, "{\"size\":" + LARGE + "}");

    assertThat(run.result()).isEqualTo(Json.parse("{\"length\":" + LARGE + "}"));
    assertThat(logChars(run.id())).isLessThan(5000);
  }

  @Test
  void anOutputOfAMegabyteAtMostIsInTheLog() {
    RunHandle<Json> run = start(MEASURED, "{\"size\":1000000}");

    assertThat(run.result()).isEqualTo(Json.parse("{\"length\":1000000}"));
    assertThat(logChars(run.id())).isGreaterThan(1_000_000);
    assertThat(pawl.blobs().collect(pawl.store().now().plusSeconds(1))).isZero();
  }

  @Test
  void afterAFailureTheLargeOutputComesFromItsBlob() {
    broken.set(true);
    RunHandle<Json> run = start(MEASURED, "{\"size\":" + LARGE + "}");
    assertThatExceptionOfType(FailedException.class).isThrownBy(run::result);
    assertThat(pawl.blobs().collect(pawl.store().now().plusSeconds(1)))
        .as("the run needs it")
        .isZero();

    broken.set(false);
    pawl.retry(run.id());

    assertThat(run.result()).isEqualTo(Json.parse("{\"length\":" + LARGE + "}"));
    assertThat(made).hasValue(1);
  }

  @Test
  void aResultThatIsLargeIsReferredTo() throws Exception {
    Graph graph =
        Graph.named("large")
            .node("size", "input")
            .node("write", "write")
            .node("text", "output")
            .edge("size", "write")
            .edge("write", "text")
            .build();

    RunHandle<Json> run = start(graph, "{\"size\":" + LARGE + "}");

    Blob blob = JsonCodec.decode(run.result().member("text"), Blob.class);
    assertThat(blob.length()).isEqualTo(2L * LARGE + 2);
    try (InputStream content = pawl.blobs().open(blob)) {
      String text = new String(content.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Json.parse(text)).isEqualTo(Json.string("é".repeat(LARGE)));
    }
    assertThat(logChars(run.id())).isLessThan(5000);
  }

  private static final Graph STREAMED =
      Graph.named("streamed")
          .node("size", "input")
          .node("stream", "stream")
          .node("count", "count")
          .node("length", "output")
          .edge("size", "stream")
          .edge("stream", "count")
          .edge("count", "length")
          .build();

  @Test
  void aNodeWritesABlobAndTheNextReadsIt() {
    assertThat(start(STREAMED, "{\"size\":3000000}").result())
        .isEqualTo(Json.parse("{\"length\":3000000}"));
  }

  @Test
  void aBlobThatIsDamagedFailsTheNodeThatReadsItWithOneClearError() throws Exception {
    pawl.close();
    pawl = Pawl.open("memory:", "file:" + directory);
    Graph graph =
        Graph.named("gated")
            .node("size", "input")
            .node("stream", "stream")
            .node("go", "trigger.manual", Map.of("limit", 1))
            .node("gate", "gate")
            .node("count", "count")
            .node("length", "output")
            .edge("size", "stream")
            .edge("go.value", "gate.go")
            .edge("stream", "gate.content")
            .edge("gate.content", "count")
            .edge("count", "length")
            .build();
    NodeType gate =
        NodeType.each("gate", Gate.class, Content.class, (c, in) -> new Content(in.content));
    GraphType type = GraphType.of(TYPE, graph, Nodes.with(STREAM, COUNT, gate));
    pawl.register(type).work();
    RunHandle<Json> run = pawl.start(type, Json.parse("{\"size\":3000000}"));
    Await.until("it waits", () -> run.run().status() == Status.SUSPENDED);
    Path file;
    try (var files = Files.walk(directory)) {
      file = files.filter(each -> each.getFileName().toString().length() == 64).findFirst().get();
    }
    Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);

    pawl.signal(run.id(), Graphs.signal("go"), Graphs.input(none(), none(), Json.TRUE));

    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(run::result)
        .satisfies(e -> assertThat(e.failure().code()).isEqualTo("CORRUPT"))
        .withMessageContaining(file.getFileName().toString());
  }

  private static java.util.Optional<String> none() {
    return java.util.Optional.empty();
  }

  record Gate(boolean go, Blob content) {}

  @Test
  void aBlobThatAChildGivesIsNeededByTheParentToo() {
    Graph graph =
        Graph.named("parent")
            .node("child", "task", Map.of("type", "test.child.v1", "input", 1))
            .node("count", "count")
            .node("length", "output")
            .edge("child.output", "count.content")
            .edge("count", "length")
            .build();
    pawl.register(
        Task.define(
            "test.child.v1",
            Long.class,
            Blob.class,
            (c, in) -> pawl.blobs().write(out -> out.write(new byte[5000]))));
    RunHandle<Json> run = start(graph, "{}");

    assertThat(run.result()).isEqualTo(Json.parse("{\"length\":5000}"));
    assertThat(pawl.blobs().collect(pawl.store().now().plusSeconds(1))).isZero();
  }
}
