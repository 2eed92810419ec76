package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.blob.Blob;
import dev.pawl.graph.GraphType;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Compresses a file of any size and counts its lines, without ever having it in memory. */
public final class Compressing {
  private Compressing() {}

  // snippet:nodes
  record File(String path) {}

  record Packed(Blob packed) {}

  record Lines(long lines) {}

  static final NodeType PACK =
      NodeType.each(
          "pack",
          File.class,
          Packed.class,
          (context, in) ->
              new Packed(
                  context.blob(out -> {
                    try (OutputStream gzip = new GZIPOutputStream(out)) {
                      Files.copy(Path.of(in.path()), gzip);
                    }
                  })));

  static final NodeType COUNT =
      NodeType.each(
          "count-lines",
          Packed.class,
          Lines.class,
          (context, in) -> {
            try (BufferedReader lines =
                new BufferedReader(
                    new InputStreamReader(
                        new GZIPInputStream(context.open(in.packed())), StandardCharsets.UTF_8))) {
              return new Lines(lines.lines().count());
            }
          });

  // end

  static final Graph GRAPH =
      Graph.named("compressing")
          .node("file", "input")
          .node("pack", "pack")
          .node("count", "count-lines")
          .node("packed", "output")
          .node("lines", "output")
          .edge("file", "pack")
          .edge("pack", "count")
          .edge("pack", "packed")
          .edge("count", "lines")
          .build();

  static final GraphType COMPRESSING =
      GraphType.of("files.compress.v1", GRAPH, Nodes.with(PACK, COUNT));

  public static RunHandle<Json> compress(Pawl pawl, Path file) {
    pawl.register(COMPRESSING).work();
    return pawl.start(COMPRESSING, JsonCodec.encode(Map.of("file", file.toString())));
  }
}
