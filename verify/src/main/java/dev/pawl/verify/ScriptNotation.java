package dev.pawl.verify;

import dev.pawl.json.Json;
import dev.pawl.script.Scripts;
import dev.pawl.testkit.sim.Cast;
import dev.pawl.testkit.sim.Notation;
import dev.pawl.testkit.sim.Plan;
import dev.pawl.testkit.sim.Site;
import dev.pawl.work.DefinedProgram;
import java.util.List;

/**
 * Plans as scripts. What is a step of a flow is a task here. Scripts have no words for sending
 * signals and events, for time limits of a body, and for steps that undo others.
 */
public final class ScriptNotation implements Notation {
  private static final String RETRY = "{ retry: { maxAttempts: " + Cast.ATTEMPTS + " } }";
  private static final String TWICE = "{ retry: { maxAttempts: 2 } }";

  @Override
  public String kind() {
    return Scripts.KIND;
  }

  @Override
  public DefinedProgram program(Site site) {
    return Scripts.all();
  }

  @Override
  public boolean canWrite(Plan plan) {
    return plan.acts().stream()
        .noneMatch(act ->
            act instanceof Plan.Act.Limited
                || act instanceof Plan.Act.Tell
                || act instanceof Plan.Act.Emit
                || act instanceof Plan.Act.Undo);
  }

  @Override
  public String write(Plan plan, Cast cast) {
    StringBuilder text = new StringBuilder();
    text.append("const said = []\n");
    text.append("const textOf = value => typeof value === \"string\" ? value : value.out\n");
    for (int i = 0; i < plan.acts().size(); i++) {
      text.append("{\n").append(write(plan.acts().get(i), plan.id() + "-" + i, cast)).append("}\n");
    }
    return text.append("return \"p" + plan.id() + "<\" + said.join(\",\") + \">\"\n").toString();
  }

  private static String write(Plan.Act act, String name, Cast cast) {
    return switch (act) {
      case Plan.Act.Step step -> said("await " + task("s" + name, step.failures(), RETRY));
      case Plan.Act.Job job -> said("await " + task("j" + name, job.failures(), RETRY));
      case Plan.Act.Hopeless hopeless -> hopeless(hopeless.caught());
      case Plan.Act.Parallel parallel -> together("a" + name, parallel.steps());
      case Plan.Act.Items items -> together("i" + name, items.items());
      case Plan.Act.Sleep sleep -> sleep(sleep.millis());
      case Plan.Act.Call call -> call(run(call.child(), "\"\"", cast), call.caught());
      case Plan.Act.Fan fan -> fan(fan, cast);
      case Plan.Act.Spawn spawn -> run(spawn.child(), "\"\"", cast) + "\n" + said("\"w\"");
      case Plan.Act.Ask ask -> ask(name, ask.child(), cast);
      case Plan.Act.Signal signal -> said("await Signal.next(\"g" + name + "\")");
      case Plan.Act.SignalOr signal -> signalOr(name, signal.millis());
      case Plan.Act.SignalRace signal -> signalRace(name, signal.millis());
      case Plan.Act.Topic topic -> said("await Event.next(\"t" + topic.topic() + "\")");
      case Plan.Act.Recorded recorded -> recorded();
      case Plan.Act.Stumble stumble ->
          "if (Context.attempt === 1) throw new Error(\"once\", { retryable: true })\n"
              + said("\"y\"");
      case Plan.Act.Fail fail ->
          "throw new Error(\"as planned\", { code: \"PLANNED\", retryable: false })\n";
      case Plan.Act.Limited other -> throw wordless(other);
      case Plan.Act.Tell other -> throw wordless(other);
      case Plan.Act.Emit other -> throw wordless(other);
      case Plan.Act.Undo other -> throw wordless(other);
    };
  }

  private static IllegalArgumentException wordless(Plan.Act act) {
    return new IllegalArgumentException("a script cannot say " + act);
  }

  private static String said(String expression) {
    return "said.push(" + expression + ")\n";
  }

  private static String task(String result, int failures, String options) {
    String inputs = "{ result: \"" + result + "\", failures: " + failures + " }";
    return "Task.run(\"" + Cast.TASK + "\", " + inputs + ", " + options + ")";
  }

  private static String run(Plan child, String parent, Cast cast) {
    String inputs = "{ plan: " + child.id() + ", parent: " + parent + " }";
    return "Workflow.run(" + Json.string(cast.typeName(child)) + ", " + inputs + ", " + RETRY + ")";
  }

  private static String hopeless(boolean caught) {
    String call = "await " + task("impossible", Cast.ATTEMPTS, TWICE);
    return caught ? caught(call, "\"x\"") : said(call);
  }

  /** What the call gives, or this if it fails; a cancellation is not caught. */
  private static String caught(String call, String otherwise) {
    return "try {\n"
        + said(call)
        + "} catch (e) {\nif (e.code === \"CANCELLED\") throw e\n"
        + said(otherwise)
        + "}\n";
  }

  private static String together(String name, int many) {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < many; i++) {
      tasks.append(i == 0 ? "" : ", ").append(task(name + "-" + i, 0, RETRY));
    }
    return said("...await Promise.all([" + tasks + "])");
  }

  /** A script can see for itself whether a timer fires early. */
  private static String sleep(int millis) {
    return "const before = Date.now()\nawait Timer.delay(\""
        + millis
        + "ms\")\nsaid.push(Date.now() - before < "
        + millis
        + " ? \"early\" : \"z\")\n";
  }

  private static String call(String run, boolean caught) {
    String call = "textOf(await " + run + ")";
    return caught ? caught(call, "\"f\"") : said(call);
  }

  private static String fan(Plan.Act.Fan fan, Cast cast) {
    List<String> runs = fan.children().stream().map(child -> run(child, "\"\"", cast)).toList();
    String list = "([" + String.join(", ", runs) + "])";
    return switch (fan.mode()) {
      case ALL -> said("...(await Promise.all" + list + ").map(textOf)");
      case ANY -> said("textOf(await Promise.any" + list + ")");
      case RACE -> said("textOf(await Promise.race" + list + ")");
      case SETTLED ->
          "for (const one of await Promise.allSettled"
              + list
              + ") {\n"
              + said("one.status === \"fulfilled\" ? textOf(one.value) : \"f\"")
              + "}\n";
    };
  }

  private static String ask(String name, Plan child, Cast cast) {
    return "const child = "
        + run(child, "Context.runId + \" h" + name + "\"", cast)
        + "\n"
        + said("await Signal.next(\"h" + name + "\")")
        + said("textOf(await child)");
  }

  private static String signalOr(String name, int millis) {
    return "try {\n"
        + said("await Signal.next(\"g" + name + "\", { timeout: \"" + millis + "ms\" })")
        + "} catch (e) {\nif (e.code !== \"TIMEOUT\") throw e\n"
        + said("\"late\"")
        + "}\n";
  }

  private static String signalRace(String name, int millis) {
    return "const signal = Signal.next(\"g"
        + name
        + "\")\nconst first = await Promise.race([signal, Timer.delay(\""
        + millis
        + "ms\")])\n"
        + said("first === null ? await signal : first");
  }

  /** What is made up is kept over a suspension. */
  private static String recorded() {
    return "const made = [Date.now(), Math.random(), uuid()]\n"
        + "log(\"made \" + made.join(\" \"))\n"
        + said("made.length === 3 ? \"r\" : \"lost\"");
  }
}
