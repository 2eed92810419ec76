package dev.pawl.verify;

import dev.pawl.graph.node.NodeContext;
import dev.pawl.graph.node.NodeType;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.testkit.sim.Cast;
import dev.pawl.testkit.sim.Part;
import dev.pawl.testkit.sim.Site;
import dev.pawl.work.FailedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes that graphs of plans are made of. Those with code tell the site when it begins. */
final class PlanNodes {
  private final Site site;

  private PlanNodes(Site site) {
    this.site = site;
  }

  record Nothing() {}

  record After(@Nullable Json after) {}

  record Told(Json failure) {}

  record Item(int number) {}

  record Texts(List<String> texts) {}

  record Text(String text) {}

  record Value(String value) {}

  record Result(Json result) {}

  record Given(Json part) {}

  static NodeType[] of(Site site) {
    PlanNodes nodes = new PlanNodes(site);
    return new NodeType[] {
      NodeType.once("sim.step", After.class, Text.class, nodes::step),
      NodeType.once("sim.limited", Nothing.class, Text.class, nodes::limited),
      NodeType.once("sim.told", Told.class, Text.class, (ctx, in) -> new Text(text(ctx, "say"))),
      NodeType.each("sim.item", Item.class, Text.class, nodes::item),
      NodeType.each("sim.joined", Texts.class, Text.class, (ctx, in) -> joined(in.texts())),
      NodeType.streamIn(
          "sim.only",
          Value.class,
          Text.class,
          (ctx, in) -> {
            Value first = in.next();
            Value second = first == null ? null : in.next();
            return new Text(first == null || second != null ? "not one" : first.value());
          }),
      NodeType.once("sim.part", Nothing.class, Given.class, (ctx, in) -> part(ctx)),
      NodeType.once("sim.settle", Nothing.class, Text.class, (ctx, in) -> settle(ctx)),
      NodeType.each(
          "sim.text", Result.class, Text.class, (ctx, in) -> new Text(Cast.text(in.result()))),
      NodeType.once("sim.fail", Nothing.class, Text.class, (ctx, in) -> fail())
    };
  }

  private static String text(NodeContext ctx, String property) {
    return String.valueOf(JsonCodec.decode(ctx.properties().member(property), String.class));
  }

  private static int number(NodeContext ctx, String property) {
    return Integer.parseInt(ctx.properties().member(property).text());
  }

  private void began(NodeContext ctx) {
    site.began(ctx.run(), ctx.node(), ctx.attempt());
  }

  private Text step(NodeContext ctx, After in) throws InterruptedException {
    began(ctx);
    site.work(100);
    if (ctx.attempt() <= number(ctx, "failures")) {
      throw new IllegalStateException("attempt " + ctx.attempt() + " is to fail");
    }
    return new Text(text(ctx, "name"));
  }

  private Text limited(NodeContext ctx, Nothing in) throws InterruptedException {
    began(ctx);
    site.sleep(ctx.attempt() == 1 ? 15_000 : 10);
    return new Text(text(ctx, "name"));
  }

  private Text item(NodeContext ctx, Item in) throws InterruptedException {
    began(ctx);
    site.work(50);
    return new Text(text(ctx, "name") + "-" + in.number());
  }

  private static Text joined(List<String> texts) {
    return new Text(String.join(",", texts));
  }

  private static Given part(NodeContext ctx) {
    String tells = text(ctx, "tells");
    String parent = tells.isEmpty() ? "" : ctx.run() + " " + tells;
    return new Given(JsonCodec.encode(new Part(number(ctx, "plan"), parent)));
  }

  /** The text of a child, or what stands for its failure. */
  private static Text settle(NodeContext ctx) throws Exception {
    Json part = JsonCodec.encode(new Part(number(ctx, "plan"), ""));
    try {
      return new Text(Cast.text(ctx.start(text(ctx, "type"), part, 0).result()));
    } catch (FailedException e) {
      if (e.failure().code().equals("CANCELLED")) {
        throw e;
      }
      return new Text("f");
    }
  }

  private static Text fail() {
    throw FailedException.permanent("PLANNED", "as planned");
  }
}
