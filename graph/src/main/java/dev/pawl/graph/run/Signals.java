package dev.pawl.graph.run;

import dev.pawl.graph.definition.Tree;
import dev.pawl.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The signals by which a manual trigger gets its inputs. */
public final class Signals {
  private Signals() {}

  public static String name(String node) {
    return "trigger:" + node;
  }

  public static Json input(Optional<String> id, Optional<String> cursor, Json data) {
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    id.ifPresent(text -> value.put("id", text));
    cursor.ifPresent(text -> value.put("cursor", text));
    value.put("data", data);
    return Tree.write(value);
  }

  public static Json end() {
    return Tree.write(Map.of("end", true));
  }
}
