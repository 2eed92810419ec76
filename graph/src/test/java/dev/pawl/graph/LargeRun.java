package dev.pawl.graph;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.blob.Blob;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * A JVM of its own, with little memory, that carries out a graph with much data: {@code main} runs
 * it, and prints the result and how many characters its log has.
 */
final class LargeRun {
  private static final int BLOCK = 64 * 1024;

  record Size(long size) {}

  record Content(Blob content) {}

  record Told(String told) {}

  record Text(String text) {}

  /** Writes so many bytes that nobody could make smaller. */
  private static final NodeType PRODUCE =
      NodeType.each(
          "produce",
          Size.class,
          Content.class,
          (c, in) ->
              new Content(
                  c.blob(out -> {
                    SplittableRandom random = new SplittableRandom(1);
                    byte[] block = new byte[BLOCK];
                    for (long done = 0; done < in.size; done += BLOCK) {
                      random.nextBytes(block);
                      out.write(block);
                    }
                  })));

  private static final NodeType CONSUME =
      NodeType.each(
          "consume",
          Content.class,
          Told.class,
          (c, in) -> {
            CRC32 crc = new CRC32();
            long length = 0;
            try (InputStream content = c.open(in.content)) {
              byte[] block = new byte[BLOCK];
              for (int read = content.read(block); read >= 0; read = content.read(block)) {
                crc.update(block, 0, read);
                length += read;
              }
            }
            return new Told(length + ":" + crc.getValue());
          });

  /** As many messages of a kilobyte. */
  private static final NodeType TALK =
      NodeType.streamOut(
          "talk",
          Size.class,
          Text.class,
          (c, in, out) -> {
            SplittableRandom random = new SplittableRandom(2);
            byte[] half = new byte[512];
            for (long i = 0; i < in.size; i++) {
              random.nextBytes(half);
              out.emit(new Text(HexFormat.of().formatHex(half)));
            }
          });

  private static final NodeType PASS =
      NodeType.each("pass", Text.class, Text.class, (c, in) -> new Text(in.text));

  private static final NodeType LISTEN =
      NodeType.streamIn(
          "listen",
          Text.class,
          Told.class,
          (c, in) -> {
            CRC32 crc = new CRC32();
            long count = 0;
            for (Text next = in.next(); next != null; next = in.next()) {
              crc.update(next.text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
              count++;
            }
            return new Told(count + ":" + crc.getValue());
          });

  static final Graph BLOB =
      Graph.named("blob")
          .node("size", "input")
          .node("produce", "produce")
          .node("consume", "consume")
          .node("told", "output")
          .edge("size", "produce")
          .edge("produce", "consume")
          .edge("consume", "told")
          .build();

  static final Graph STREAM =
      Graph.named("stream")
          .node("size", "input")
          .node("talk", "talk")
          .node("pass", "pass")
          .node("listen", "listen")
          .node("told", "output")
          .edge("size", "talk")
          .edge("talk", "pass")
          .edge("pass", "listen")
          .edge("listen", "told")
          .build();

  private LargeRun() {}

  public static void main(String[] arguments) {
    Graph graph = arguments[1].equals("blob") ? BLOB : STREAM;
    GraphType type =
        GraphType.of("large.run.v1", graph, Nodes.with(PRODUCE, CONSUME, TALK, PASS, LISTEN));
    try (Pawl pawl = Pawl.open("sqlite:" + arguments[0])) {
      pawl.register(type).work();
      RunHandle<Json> run = pawl.start(type, Json.parse("{\"size\":" + arguments[2] + "}"));
      Json result = run.result();
      long chars =
          pawl.log(run.id()).stream()
              .mapToLong(entry -> EventCodec.data(entry.event()).text().length())
              .sum();
      System.out.println(result.text() + " " + chars);
    }
  }
}
