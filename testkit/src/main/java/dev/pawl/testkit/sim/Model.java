package dev.pawl.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What must come of a plan, worked out without any engine.
 *
 * @param pattern the result if it succeeds, with alternatives where chance decides
 */
record Model(boolean canSucceed, boolean canFail, String pattern) {

  static Model of(Plan plan) {
    List<String> parts = new ArrayList<>();
    boolean canFail = false;
    for (int i = 0; i < plan.acts().size(); i++) {
      Model act = of(plan.id(), i, plan.acts().get(i));
      canFail |= act.canFail;
      if (!act.canSucceed) {
        return new Model(false, true, "");
      }
      parts.add(act.pattern);
    }
    return new Model(true, canFail, "p" + plan.id() + "<" + String.join(",", parts) + ">");
  }

  /** Whether the run can fail at this act. */
  static boolean canFail(Plan plan, int act) {
    return of(plan.id(), act, plan.acts().get(act)).canFail;
  }

  boolean accepts(String result) {
    boolean plain = pattern.indexOf('(') < 0 && pattern.indexOf('[') < 0;
    return plain ? pattern.equals(result) : Pattern.matches(pattern, result);
  }

  private static Model sure(String text) {
    return new Model(true, false, text);
  }

  private static final Model FAILS = new Model(false, true, "");

  private static Model of(int plan, int act, Plan.Act what) {
    String name = plan + "-" + act;
    return switch (what) {
      case Plan.Act.Step step -> sure("s" + name);
      case Plan.Act.Hopeless hopeless -> hopeless.caught() ? sure("x") : FAILS;
      case Plan.Act.Limited limited -> sure("l" + name);
      case Plan.Act.Job job -> sure("j" + name);
      case Plan.Act.Parallel parallel -> sure(numbered("a" + name, parallel.steps()));
      case Plan.Act.Items items -> sure(numbered("i" + name, items.items()));
      case Plan.Act.Sleep sleep -> sure("z");
      case Plan.Act.Call call -> call(of(call.child()), call.caught());
      case Plan.Act.Fan fan -> fan(fan);
      case Plan.Act.Spawn spawn -> sure("w");
      case Plan.Act.Ask ask -> ask(name, of(ask.child()));
      case Plan.Act.Tell tell -> sure("t");
      case Plan.Act.Signal signal -> sure("v" + name);
      case Plan.Act.SignalOr signal -> sure("(v" + name + "|late)");
      case Plan.Act.SignalRace signal -> sure("v" + name);
      case Plan.Act.Topic topic -> sure("e[0-9a-z-]+");
      case Plan.Act.Emit emit -> sure("m");
      case Plan.Act.Recorded recorded -> sure("r");
      case Plan.Act.Undo undo -> sure("u");
      case Plan.Act.Stumble stumble -> sure("y");
      case Plan.Act.Fail fail -> FAILS;
    };
  }

  static String numbered(String name, int count) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(name + "-" + i);
    }
    return String.join(",", parts);
  }

  private static Model call(Model child, boolean caught) {
    if (!caught) {
      return child;
    }
    return sure(either(child));
  }

  /** The child's result, or what stands for its failure. */
  private static String either(Model child) {
    if (!child.canSucceed) {
      return "f";
    }
    return child.canFail ? "(" + child.pattern + "|f)" : child.pattern;
  }

  private static Model ask(String name, Model child) {
    return new Model(child.canSucceed, child.canFail, "v" + name + "," + child.pattern);
  }

  private static Model fan(Plan.Act.Fan fan) {
    List<Model> children = fan.children().stream().map(Model::of).toList();
    boolean allCan = children.stream().allMatch(Model::canSucceed);
    boolean oneCan = children.stream().anyMatch(Model::canSucceed);
    boolean oneMust = children.stream().anyMatch(child -> !child.canFail);
    boolean oneMayFail = children.stream().anyMatch(Model::canFail);
    String alternatives =
        "("
            + String.join(
                "|", children.stream().filter(Model::canSucceed).map(Model::pattern).toList())
            + ")";
    return switch (fan.mode()) {
      case ALL ->
          new Model(
              allCan, oneMayFail, String.join(",", children.stream().map(Model::pattern).toList()));
      case SETTLED -> sure(String.join(",", children.stream().map(Model::either).toList()));
      case ANY -> new Model(oneCan, !oneMust, alternatives);
      case RACE -> new Model(oneCan, oneMayFail, alternatives);
    };
  }
}
