package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.graph.GraphType;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.work.Retry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts the words of all files in a directory: a stream of files, many counts, one sum. */
public final class WordCount {
  private WordCount() {}

  // snippet:nodes
  record Directory(String path) {}

  record File(String file) {}

  record Counts(Map<String, Long> counts) {}

  static final NodeType FILES =
      NodeType.streamOut(
          "files",
          Directory.class,
          File.class,
          (context, in, out) -> {
            try (Stream<Path> files = Files.list(Path.of(in.path()))) {
              for (Path file : files.sorted().toList()) {
                out.emit(new File(file.toString()));
              }
            }
          });

  static final NodeType COUNT =
      NodeType.each(
              "count",
              File.class,
              Counts.class,
              (context, in) -> new Counts(words(Files.readString(Path.of(in.file())))))
          .retry(Retry.exponential(3));

  static final NodeType ADD_UP =
      NodeType.streamIn(
          "add-up",
          Counts.class,
          Counts.class,
          (context, in) -> {
            Map<String, Long> sum = new TreeMap<>();
            for (Counts next = in.next(); next != null; next = in.next()) {
              next.counts().forEach((word, count) -> sum.merge(word, count, Long::sum));
            }
            return new Counts(sum);
          });

  // end

  // snippet:graph
  static final Graph GRAPH =
      Graph.named("words")
          .node("directory", "input")
          .node("files", "files")
          .node("count", "count")
          .node("sum", "add-up")
          .node("words", "output")
          .edge("directory", "files")
          .edge("files", "count")
          .edge("count", "sum")
          .edge("sum", "words")
          .build();

  static final GraphType WORDS =
      GraphType.of("words.count.v1", GRAPH, Nodes.with(FILES, COUNT, ADD_UP));

  public static RunHandle<Json> count(Pawl pawl, Path directory) {
    pawl.register(WORDS).work();
    return pawl.start(WORDS, JsonCodec.encode(Map.of("directory", directory.toString())));
  }

  // end

  private static Map<String, Long> words(String text) {
    Map<String, Long> counts = new TreeMap<>();
    List.of(text.strip().split("\\s+")).forEach(word -> counts.merge(word, 1L, Long::sum));
    return counts;
  }
}
