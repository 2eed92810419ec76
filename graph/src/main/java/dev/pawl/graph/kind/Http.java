package dev.pawl.graph.kind;

import dev.pawl.error.ErrorCode;
import dev.pawl.graph.definition.Tree;
import dev.pawl.graph.node.Batch;
import dev.pawl.graph.node.Handle;
import dev.pawl.graph.node.HandleType;
import dev.pawl.graph.node.NodeContext;
import dev.pawl.graph.node.NodeType;
import dev.pawl.graph.node.NodeType.Mode;
import dev.pawl.graph.node.Shape;
import dev.pawl.json.Json;
import dev.pawl.work.FailedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code http}: sends a request and hands on what comes back.
 *
 * <p>Properties: {@code url}, {@code method} (GET), {@code headers}, {@code timeout} (30s), {@code
 * maxBytes} (1 MiB), {@code redirects} (5), {@code allowPrivate} (false). The handles {@code url}
 * and {@code body} take the place of the properties. A status from 400 on fails the node; from 500
 * on, and 408 and 429, it may be tried again.
 */
final class Http {
  private static final long MAX_BYTES = 1024 * 1024;

  private Http() {}

  static List<NodeType> types() {
    return List.of(
        NodeType.raw(
            "http",
            Mode.EACH,
            properties -> {
              Property.duration(properties, "timeout");
              Property.number(properties, "maxBytes", MAX_BYTES);
              Property.flag(properties, "allowPrivate");
              return new Shape(
                  List.of(
                      new Handle("url", HandleType.TEXT, false, true),
                      new Handle("body", HandleType.ANY, false, false)),
                  List.of(
                      Handle.of("body", HandleType.ANY),
                      Handle.of("status", HandleType.NUMBER),
                      Handle.of("headers", HandleType.OBJECT)));
            },
            properties ->
                Plain.batchwise((context, in, out) -> {
                  HttpExchange.Answer answer = exchange(context, in).send();
                  check(context, answer);
                  out.put("status", (long) answer.status());
                  out.put("headers", Tree.write(answer.headers()));
                  out.put("body", body(answer));
                })));
  }

  private static HttpExchange exchange(NodeContext context, Batch in) {
    Json properties = in.properties();
    Map<String, String> headers = new LinkedHashMap<>();
    Tree.object(properties.member("headers"))
        .forEach((name, value) -> headers.put(name, String.valueOf(value)));
    Object url = Tree.read(in.get("url").json());
    Object body = Tree.read(in.get("body").json());
    headers.putIfAbsent("Idempotency-Key", context.key());
    if (body != null && !(body instanceof String)) {
      headers.putIfAbsent("Content-Type", "application/json");
    }
    return new HttpExchange(
        Property.text(properties, "method").orElse(body == null ? "GET" : "POST"),
        String.valueOf(url),
        headers,
        text(body, in.get("body").json()),
        Property.duration(properties, "timeout").orElse(java.time.Duration.ofSeconds(30)),
        Property.number(properties, "maxBytes", MAX_BYTES),
        (int) Property.number(properties, "redirects", 5),
        Property.flag(properties, "allowPrivate"));
  }

  private static Optional<String> text(@Nullable Object body, Json json) {
    return switch (body) {
      case null -> Optional.empty();
      case String text -> Optional.of(text);
      default -> Optional.of(json.text());
    };
  }

  private static void check(NodeContext context, HttpExchange.Answer answer) {
    int status = answer.status();
    if (status >= 400) {
      String what =
          "the request of node '"
              + context.node()
              + "' to "
              + answer.url()
              + " came back with "
              + status;
      throw status >= 500 || status == 408 || status == 429
          ? FailedException.temporary("HTTP_" + status, what)
          : FailedException.permanent("HTTP_" + status, what);
    }
  }

  private static Json body(HttpExchange.Answer answer) {
    if (!answer.isJson()) {
      return Json.string(answer.body());
    }
    try {
      return Json.parse(answer.body());
    } catch (dev.pawl.error.PawlException e) {
      throw FailedException.permanent(
          ErrorCode.BAD_JSON.name(),
          answer.url() + " says that it sends JSON, and does not: " + e.getMessage());
    }
  }
}
