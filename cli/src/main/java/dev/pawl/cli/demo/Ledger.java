package dev.pawl.cli.demo;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The world outside: a payment provider and a carrier, as a file of what they were asked. Like real
 * ones they do a thing once for each idempotency key, and tell a second request so.
 */
final class Ledger {
  private final Path file;

  Ledger(Path file) {
    this.file = file;
  }

  /** A request that came in, and whether it was carried out or was a repetition. */
  record Line(String what, String order, String key, boolean done) {}

  /** Does the thing, unless it was done under this key before; either way it is written down. */
  synchronized String ask(String what, String order, String key) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
        FileLock lock = open.getChannel().lock()) {
      boolean done = lines().stream().noneMatch(line -> line.key().equals(key)) && lock.isValid();
      String line =
          new JsonLine()
              .put("what", what)
              .put("order", order)
              .put("key", key)
              .put("done", done)
              .text();
      open.seek(open.length());
      open.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return what + " of " + order;
  }

  List<Line> lines() throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .filter(text -> text.endsWith("}"))
        .map(Json::parse)
        .map(json ->
            new Line(
                text(json, "what"),
                text(json, "order"),
                text(json, "key"),
                json.member("done").equals(Json.TRUE)))
        .toList();
  }

  private static String text(Json json, String member) {
    String text = JsonCodec.decode(json.member(member), String.class);
    return text == null ? "" : text;
  }
}
