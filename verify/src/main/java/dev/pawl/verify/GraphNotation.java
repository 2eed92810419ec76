package dev.pawl.verify;

import dev.pawl.graph.Graphs;
import dev.pawl.graph.Nodes;
import dev.pawl.graph.definition.Graph;
import dev.pawl.graph.definition.GraphBuilder;
import dev.pawl.testkit.sim.Cast;
import dev.pawl.testkit.sim.Notation;
import dev.pawl.testkit.sim.Plan;
import dev.pawl.testkit.sim.Site;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Plans as graphs: some nodes for each act, all acts side by side but for those that wait for the
 * one before, and a template that puts together what they say. Graphs have no words for sending,
 * for races, for children nobody waits for and for the run's own attempts.
 */
public final class GraphNotation implements Notation {
  private static final Retry AGAIN = Retry.fixed(Cast.ATTEMPTS, Duration.ofMillis(100));

  @Override
  public String kind() {
    return Graphs.KIND;
  }

  @Override
  public DefinedProgram program(Site site) {
    return Graphs.all(Nodes.with(PlanNodes.of(site)));
  }

  @Override
  public boolean canWrite(Plan plan) {
    return plan.acts().stream().allMatch(GraphNotation::canWrite);
  }

  private static boolean canWrite(Plan.Act act) {
    return switch (act) {
      case Plan.Act.Fan fan -> fan.mode() == Plan.Mode.ALL || fan.mode() == Plan.Mode.SETTLED;
      case Plan.Act.Spawn other -> false;
      case Plan.Act.Tell other -> false;
      case Plan.Act.Emit other -> false;
      case Plan.Act.SignalOr other -> false;
      case Plan.Act.SignalRace other -> false;
      case Plan.Act.Recorded other -> false;
      case Plan.Act.Undo other -> false;
      case Plan.Act.Stumble other -> false;
      default -> true;
    };
  }

  @Override
  public String write(Plan plan, Cast cast) {
    return new Drawing(plan, cast).draw().json();
  }

  /** One graph in the making. */
  private static final class Drawing {
    private final Plan plan;
    private final Cast cast;
    private final GraphBuilder graph = Graph.named("");
    private final List<String> said = new ArrayList<>();
    private int nodes;

    Drawing(Plan plan, Cast cast) {
      this.plan = plan;
      this.cast = cast;
    }

    Graph draw() {
      for (int i = 0; i < plan.acts().size(); i++) {
        draw(plan.acts().get(i), plan.id() + "-" + i);
      }
      List<String> places = new ArrayList<>();
      for (int i = 0; i < said.size(); i++) {
        places.add("{{v" + i + "}}");
      }
      String template = "p" + plan.id() + "<" + String.join(",", places) + ">";
      graph.node("all", "template", Map.of("template", template));
      for (int i = 0; i < said.size(); i++) {
        graph.edge(said.get(i), "all.v" + i);
      }
      return graph.node("out", "output").edge("all.text", "out.value").build();
    }

    private void draw(Plan.Act act, String name) {
      switch (act) {
        case Plan.Act.Step step ->
            step("s" + name, step.failures(), Math.max(1, step.backoffMillis()));
        case Plan.Act.Hopeless hopeless -> hopeless("x" + name, hopeless.caught());
        case Plan.Act.Limited limited -> limited("l" + name);
        case Plan.Act.Job job -> job("j" + name, job.failures());
        case Plan.Act.Parallel parallel -> {
          for (int i = 0; i < parallel.steps(); i++) {
            step("a" + name + "-" + i, 0, 1);
          }
        }
        case Plan.Act.Items items -> items("i" + name, items.items());
        case Plan.Act.Sleep sleep -> sleep(sleep.millis());
        case Plan.Act.Call call -> child(call.child(), call.caught());
        case Plan.Act.Fan fan ->
            fan.children().forEach(child -> child(child, fan.mode() == Plan.Mode.SETTLED));
        case Plan.Act.Ask ask -> {
          only("trigger.signal", Map.of("name", "h" + name, "limit", 1));
          child(ask.child(), "h" + name);
        }
        case Plan.Act.Signal signal ->
            only("trigger.signal", Map.of("name", "g" + name, "limit", 1));
        case Plan.Act.Topic topic ->
            only("trigger.topic", Map.of("topic", "t" + topic.topic(), "limit", 1));
        case Plan.Act.Fail fail -> said.add(node("sim.fail", Map.of()) + ".text");
        default -> throw new IllegalArgumentException("a graph cannot say " + act);
      }
    }

    private String node(String type, Object properties) {
      String id = "n" + nodes++;
      graph.node(id, type, properties);
      return id;
    }

    /** Every other step waits for what was said before it. */
    private void step(String name, int failures, int backoffMillis) {
      String id = node("sim.step", Map.of("name", name, "failures", failures));
      graph.retry(id, Retry.fixed(Cast.ATTEMPTS, Duration.ofMillis(backoffMillis)));
      if (nodes % 2 == 0 && !said.isEmpty()) {
        graph.edge(said.getLast(), id + ".after");
      }
      said.add(id + ".text");
    }

    private void hopeless(String name, boolean caught) {
      String id = node("sim.step", Map.of("name", name, "failures", Cast.ATTEMPTS));
      graph.retry(id, Retry.fixed(2, Duration.ofMillis(50)));
      if (caught) {
        String told = node("sim.told", Map.of("say", "x"));
        graph.error(id, told + ".failure");
        said.add(told + ".text");
      } else {
        said.add(id + ".text");
      }
    }

    private void limited(String name) {
      String id = node("sim.limited", Map.of("name", name));
      graph.retry(id, AGAIN.timeout(Duration.ofSeconds(10)));
      said.add(id + ".text");
    }

    private void job(String name, int failures) {
      Map<String, Object> work = Map.of("result", name, "failures", failures);
      String given = node("constant", Map.of("value", work));
      String id = node("task", Map.of("type", Cast.TASK));
      graph.retry(id, AGAIN).edge(given + ".value", id + ".input");
      said.add(id + ".output");
    }

    private void items(String name, int many) {
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        numbers.add(i);
      }
      String list = node("constant", Map.of("value", numbers));
      String items = node("items", Map.of());
      String each = node("sim.item", Map.of("name", name));
      String all = node("collect", Map.of());
      String joined = node("sim.joined", Map.of());
      graph
          .retry(each, AGAIN)
          .edge(list + ".value", items + ".list")
          .edge(items + ".item", each + ".number")
          .edge(each + ".text", all + ".item")
          .edge(all + ".list", joined + ".texts");
      said.add(joined + ".text");
    }

    private void sleep(int millis) {
      String word = node("constant", Map.of("value", "z"));
      String id = node("delay", Map.of("for", millis + "ms"));
      graph.edge(word + ".value", id + ".value");
      said.add(id + ".value");
    }

    /** The one message of a trigger. */
    private void only(String trigger, Object properties) {
      String from = node(trigger, properties);
      String id = node("sim.only", Map.of());
      graph.edge(from + ".value", id + ".value");
      said.add(id + ".text");
    }

    private void child(Plan child, boolean caught) {
      if (caught) {
        String id = node("sim.settle", Map.of("type", cast.typeName(child), "plan", child.id()));
        graph.retry(id, AGAIN);
        said.add(id + ".text");
      } else {
        child(child, "");
      }
    }

    /** A node that is the child: as a task its attempts are the child's own. */
    private void child(Plan child, String tells) {
      boolean task = child.id() % 2 == 0;
      String part = node("sim.part", Map.of("plan", child.id(), "tells", tells));
      String kind = task ? "task" : cast.kind(child).orElse("flow");
      String id = node(kind, Map.of("type", cast.typeName(child)));
      String text = node("sim.text", Map.of());
      if (task) {
        graph.retry(id, AGAIN);
      }
      graph.edge(part + ".part", id + ".input").edge(id + ".output", text + ".result");
      said.add(text + ".text");
    }
  }
}
