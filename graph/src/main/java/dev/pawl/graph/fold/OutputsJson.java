package dev.pawl.graph.fold;

import dev.pawl.blob.Blob;
import dev.pawl.graph.definition.Tree;
import dev.pawl.json.Json;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * What a node has put out, as the log has it: by handle, either {@code {"value": …}}, or {@code
 * {"blob": {"sha256": …, "length": …}}} for a value whose JSON is there, or {@code {"stream":
 * [[count, "compressed"], …]}}, with a blob in place of the text of a part that is there.
 */
public final class OutputsJson {
  private OutputsJson() {}

  /** What one handle has put out. */
  public sealed interface Output {
    record One(Json value) implements Output {}

    /** A value whose JSON is the content of a blob. */
    record Large(Blob blob) implements Output {}

    record Stream(List<Recording.Part> parts) implements Output {}
  }

  public static Json write(Map<String, Output> outputs) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    outputs.forEach((handle, output) -> object.put(handle, written(output)));
    return Tree.write(object);
  }

  private static Map<String, Object> written(Output output) {
    return switch (output) {
      case Output.One one -> Map.of("value", one.value());
      case Output.Large large -> Map.of("blob", large.blob().json());
      case Output.Stream stream ->
          Map.of(
              "stream",
              stream.parts().stream().map(part -> List.of(part.count(), written(part))).toList());
    };
  }

  private static Object written(Recording.Part part) {
    return switch (part) {
      case Recording.Part.Inline inline -> Base64.getEncoder().encodeToString(inline.deflated());
      case Recording.Part.Spilled spilled -> spilled.blob().json();
    };
  }

  public static Map<String, Output> read(Json outputs) {
    Map<String, Output> read = new LinkedHashMap<>();
    try (JsonParser parser = outputs.reader()) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        return read;
      }
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String handle = parser.currentName();
        parser.nextToken();
        read.put(handle, readOutput(parser));
      }
    }
    return read;
  }

  private static Output readOutput(JsonParser parser) {
    Output output = new Output.One(Json.NULL);
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String form = parser.currentName();
      parser.nextToken();
      output =
          switch (form) {
            case "stream" -> new Output.Stream(readParts(parser));
            case "blob" -> new Output.Large(readBlob(parser));
            default -> new Output.One(Json.copy(parser));
          };
    }
    return output;
  }

  private static Blob readBlob(JsonParser parser) {
    Json blob = Json.copy(parser);
    return new Blob(
        String.valueOf(Tree.read(blob.member("sha256"))),
        Long.parseLong(blob.member("length").text()));
  }

  private static List<Recording.Part> readParts(JsonParser parser) {
    List<Recording.Part> parts = new ArrayList<>();
    while (parser.nextToken() == JsonToken.START_ARRAY) {
      parser.nextToken();
      long count = parser.getLongValue();
      parser.nextToken();
      parts.add(
          parser.currentToken() == JsonToken.START_OBJECT
              ? new Recording.Part.Spilled(count, readBlob(parser))
              : new Recording.Part.Inline(count, Base64.getDecoder().decode(parser.getString())));
      parser.nextToken();
    }
    return parts;
  }
}
