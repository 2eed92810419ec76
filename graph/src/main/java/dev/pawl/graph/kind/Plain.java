package dev.pawl.graph.kind;

import dev.pawl.error.ErrorCode;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeCode;
import dev.pawl.graph.node.NodeContext;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeType.Mode;
import dev.pawl.graph.node.NodeType.Role;
import dev.pawl.graph.node.Shape;
import dev.pawl.json.Json;
import dev.pawl.work.FailedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Nodes that need nothing but their messages. */
final class Plain {
  private static final Pattern PLACE = Pattern.compile("\\{\\{\\s*([A-Za-z0-9_-]+)\\s*}}");
  private static final Handle ANY_VALUE = Handle.of("value", HandleType.ANY);

  private Plain() {}

  static List<NodeType> types() {
    return List.of(
        input(), items(), output(), constant(), template(), collect(), choose(), merge(), delay());
  }

  /** {@code input}: a member of the run's payload, or what the property {@code default} says. */
  private static NodeType input() {
    return NodeType.raw(
            "input",
            Mode.ONCE,
            properties -> new Shape(List.of(), List.of(ANY_VALUE)),
            properties ->
                batchwise((context, in, out) ->
                    out.put("value", inputValue(context.payload(), properties, context.node()))))
        .as(Role.INPUT)
        .pure();
  }

  private static Json inputValue(Json payload, Json properties, String node) {
    String name = Property.text(properties, "name").orElse(node);
    Map<String, @Nullable Object> members = Tree.object(payload);
    if (members.containsKey(name)) {
      return payload.member(name);
    }
    if (Tree.object(properties).containsKey("default")) {
      return properties.member("default");
    }
    throw FailedException.permanent(
        ErrorCode.BAD_INPUT.name(),
        "the run's payload has no member '"
            + name
            + "', which input node '"
            + node
            + "' asks for, and the node has no default");
  }

  /** {@code items}: each item of a list, as a stream. */
  private static NodeType items() {
    return NodeType.raw(
            "items",
            Mode.STREAM_OUT,
            properties ->
                new Shape(
                    List.of(new Handle("list", HandleType.listOf(HandleType.ANY), false, true)),
                    List.of(Handle.of("item", HandleType.ANY))),
            properties ->
                batchwise((context, in, out) -> {
                  Object list = Tree.read(in.get("list").json());
                  if (!(list instanceof List<?> items)) {
                    throw FailedException.permanent(
                        ErrorCode.BAD_VALUE.name(),
                        "node '"
                            + context.node()
                            + "' takes a list, and got "
                            + shown(in.get("list").json()));
                  }
                  for (Object item : items) {
                    out.put("item", Tree.write(item));
                  }
                }))
        .pure();
  }

  private static String shown(Json json) {
    String text = json.text();
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  /** {@code output}: a member of the run's result; of a stream, the list of its values. */
  private static NodeType output() {
    return NodeType.raw(
            "output",
            Mode.STREAM_IN,
            properties ->
                new Shape(
                    List.of(new Handle("value", HandleType.ANY, false, true)),
                    List.of(Handle.of("result", HandleType.ANY))),
            properties -> Plain.streaming(Plain::gather))
        .as(Role.OUTPUT)
        .pure();
  }

  private static void gather(NodeContext context, NodeCode.Batches in, NodeCode.Outputs out)
      throws Exception {
    List<Json> values = new ArrayList<>();
    for (Batch batch = in.next(); batch != null; batch = in.next()) {
      values.add(batch.get("value").json());
    }
    if (context.streams("value")) {
      out.put("result", Tree.write(values));
    } else if (!values.isEmpty()) {
      out.put("result", values.get(0));
    }
  }

  /** {@code constant}: the property {@code value}. */
  private static NodeType constant() {
    return NodeType.raw(
            "constant",
            Mode.ONCE,
            properties -> new Shape(List.of(), List.of(ANY_VALUE)),
            properties ->
                batchwise((context, in, out) -> out.put("value", in.properties().member("value"))))
        .pure();
  }

  /** {@code template}: a text with {@code {{name}}} in it, each an input handle. */
  private static NodeType template() {
    return NodeType.raw(
            "template",
            Mode.EACH,
            properties ->
                new Shape(
                    places(Property.neededText(properties, "template")).stream()
                        .map(name -> Handle.of(name, HandleType.ANY))
                        .toList(),
                    List.of(Handle.of("text", HandleType.TEXT))),
            properties ->
                batchwise((context, in, out) ->
                    out.put("text", filled(Property.neededText(in.properties(), "template"), in))))
        .pure();
  }

  private static Set<String> places(String template) {
    Set<String> names = new LinkedHashSet<>();
    PLACE.matcher(template).results().forEach(found -> names.add(found.group(1)));
    return names;
  }

  private static String filled(String template, Batch in) {
    return PLACE
        .matcher(template)
        .replaceAll(found -> Matcher.quoteReplacement(text(in.get(found.group(1)).json())));
  }

  private static String text(Json value) {
    Object plain = Tree.read(value);
    return plain instanceof String text ? text : plain == null ? "" : value.text();
  }

  /** {@code collect}: everything that comes, as one list. */
  private static NodeType collect() {
    return NodeType.raw(
            "collect",
            Mode.STREAM_IN,
            properties ->
                new Shape(
                    List.of(new Handle("item", HandleType.ANY, true, true)),
                    List.of(Handle.of("list", HandleType.listOf(HandleType.ANY)))),
            properties ->
                streaming((context, in, out) -> {
                  List<Json> items = new ArrayList<>();
                  for (Batch batch = in.next(); batch != null; batch = in.next()) {
                    items.add(batch.get("item").json());
                  }
                  out.put("list", Tree.write(items));
                }))
        .pure();
  }

  /**
   * {@code switch}: hands {@code value} on at the handle named as the text that comes to {@code
   * on}, one of the property {@code cases}, or at {@code default}.
   */
  private static NodeType choose() {
    return NodeType.raw(
            "switch",
            Mode.EACH,
            properties -> {
              List<Handle> outputs = new ArrayList<>();
              Property.texts(properties, "cases")
                  .forEach(name -> outputs.add(Handle.of(name, HandleType.ANY)));
              outputs.add(Handle.of("default", HandleType.ANY));
              return new Shape(
                  List.of(
                      new Handle("value", HandleType.ANY, false, true),
                      new Handle("on", HandleType.ANY, false, false)),
                  outputs);
            },
            properties -> {
              List<String> cases = Property.texts(properties, "cases");
              return batchwise((context, in, out) -> {
                Json on = in.get("on").json();
                String chosen = text(on.isNull() ? in.get("value").json() : on);
                out.put(cases.contains(chosen) ? chosen : "default", in.get("value"));
              });
            })
        .pure();
  }

  /** {@code merge}: what comes over any of its edges, as it comes. */
  private static NodeType merge() {
    return NodeType.raw(
            "merge",
            Mode.EACH,
            properties ->
                new Shape(
                    List.of(new Handle("value", HandleType.ANY, true, true)), List.of(ANY_VALUE)),
            properties -> batchwise((context, in, out) -> out.put("value", in.get("value"))))
        .pure();
  }

  /** {@code delay}: hands each value on after the property {@code for}. */
  private static NodeType delay() {
    return NodeType.raw(
            "delay",
            Mode.EACH,
            properties -> {
              Property.neededDuration(properties, "for");
              return new Shape(
                  List.of(new Handle("value", HandleType.ANY, false, true)), List.of(ANY_VALUE));
            },
            properties ->
                batchwise((context, in, out) -> {
                  context.sleep(Property.neededDuration(in.properties(), "for"));
                  out.put("value", in.get("value"));
                }))
        .pure();
  }

  static NodeCode batchwise(NodeCode.Batchwise code) {
    return code;
  }

  static NodeCode streaming(NodeCode.Streaming code) {
    return code;
  }
}
