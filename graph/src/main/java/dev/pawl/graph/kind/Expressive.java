package dev.pawl.graph.kind;

import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.Expressions;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeType.Mode;
import dev.pawl.graph.node.Shape;
import dev.pawl.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with an expression in their property {@code expression}. What comes to a handle is {@code
 * Inputs.} and its name there.
 */
final class Expressive {
  private static final Pattern FALSY = Pattern.compile("null|false|0|-0|0\\.0|\"\"");

  private Expressive() {}

  static List<NodeType> types(Expressions language) {
    return List.of(expression(language), map(language), filter(language));
  }

  /** {@code expression}: its value, with the handles that the property {@code inputs} lists. */
  private static NodeType expression(Expressions language) {
    return NodeType.raw(
            "expression",
            Mode.EACH,
            properties -> {
              language.read(Property.neededText(properties, "expression"));
              return new Shape(
                  Property.texts(properties, "inputs").stream()
                      .map(name -> new Handle(name, HandleType.ANY, false, false))
                      .toList(),
                  List.of(Handle.of("value", HandleType.ANY)));
            },
            properties -> {
              var read = language.read(Property.neededText(properties, "expression"));
              return Plain.batchwise(
                  (context, in, out) -> out.put("value", read.value(inputs(in))));
            })
        .pure();
  }

  /** {@code map}: the expression's value for each {@code Inputs.value}. */
  private static NodeType map(Expressions language) {
    return NodeType.raw(
            "map",
            Mode.EACH,
            properties -> shape(language, properties),
            properties -> {
              var read = language.read(Property.neededText(properties, "expression"));
              return Plain.batchwise(
                  (context, in, out) -> out.put("value", read.value(inputs(in))));
            })
        .pure();
  }

  /** {@code filter}: each value for which the expression is true. */
  private static NodeType filter(Expressions language) {
    return NodeType.raw(
            "filter",
            Mode.EACH,
            properties -> shape(language, properties),
            properties -> {
              var read = language.read(Property.neededText(properties, "expression"));
              return Plain.batchwise((context, in, out) -> {
                if (!FALSY.matcher(read.value(inputs(in)).text()).matches()) {
                  out.put("value", in.get("value"));
                }
              });
            })
        .pure();
  }

  private static Shape shape(Expressions language, Json properties) {
    language.read(Property.neededText(properties, "expression"));
    return new Shape(
        List.of(new Handle("value", HandleType.ANY, false, true)),
        List.of(Handle.of("value", HandleType.ANY)));
  }

  private static Json inputs(Batch in) {
    Map<String, @Nullable Object> inputs = new LinkedHashMap<>();
    in.values().forEach((name, value) -> inputs.put(name, value.json()));
    return Tree.write(inputs);
  }
}
