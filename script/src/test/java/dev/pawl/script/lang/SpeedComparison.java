package dev.pawl.script.lang;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

/**
 * Measures the machine beside Rhino as an interpreter, on the same programs in the same process,
 * and how many operations it does in a second. Not a test: run its main.
 */
public final class SpeedComparison {
  private static final int ROUNDS = 40;

  private record Program(String name, String body) {}

  private static final List<Program> PROGRAMS =
      List.of(
          new Program(
              "arithmetic and properties",
              """
              let o = { sum: 0, step: 3 }
              for (let i = 0; i < 300000; i++) { o.sum = o.sum + i * o.step % 7 }
              return o.sum
              """),
          new Program(
              "recursive calls",
              """
              function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
              return fib(23)
              """),
          new Program(
              "lists",
              """
              let list = []
              for (let i = 0; i < 50000; i++) { list.push(i % 100) }
              let sum = 0
              for (let i = 0; i < list.length; i++) { sum += list[i] }
              for (let x of list.map(v => v + 1).filter(v => v > 50)) { sum += x }
              return sum
              """),
          new Program(
              "texts",
              """
              let words = []
              for (let i = 0; i < 20000; i++) { words.push("w" + i % 50) }
              let counts = {}
              for (let w of words) { counts[w] = (counts[w] ? counts[w] : 0) + 1 }
              return words.join(" ").split(" ").length + counts["w7"]
              """),
          new Program(
              "closures and objects",
              """
              function counter() { let n = 0; return { add: k => { n += k; return n } } }
              let total = 0
              for (let i = 0; i < 20000; i++) {
                let c = counter()
                c.add(1); c.add(2)
                total += c.add(3)
              }
              return total
              """));

  private SpeedComparison() {}

  public static void main(String[] args) {
    Context context = Context.enter();
    try {
      compare(context);
    } finally {
      Context.exit();
    }
  }

  /** All programs take turns, so that each finds the compiler in the same mood. */
  private static void compare(Context context) {
    context.setInterpretedMode(true);
    context.setLanguageVersion(Context.VERSION_ES6);
    ScriptableObject scope = context.initStandardObjects();
    double[] ours = new double[PROGRAMS.size()];
    double[] theirs = new double[PROGRAMS.size()];
    Arrays.fill(ours, Double.MAX_VALUE);
    Arrays.fill(theirs, Double.MAX_VALUE);
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < PROGRAMS.size(); i++) {
        Program program = PROGRAMS.get(i);
        Script script = Script.parse(program.name(), program.body()).orThrow();
        var other = context.compileString("(function() {" + program.body() + "})()", "x", 1, null);
        ours[i] = Math.min(ours[i], millis(() -> runOurs(script)));
        theirs[i] =
            Math.min(theirs[i], millis(() -> String.valueOf(other.exec(context, scope, scope))));
      }
    }
    System.out.printf(
        Locale.ROOT, "%-28s %10s %10s %8s%n", "ms, best of " + ROUNDS, "Pawl", "Rhino", "ratio");
    for (int i = 0; i < ours.length; i++) {
      System.out.printf(
          Locale.ROOT,
          "%-28s %10.2f %10.2f %8.2f%n",
          PROGRAMS.get(i).name(),
          ours[i],
          theirs[i],
          theirs[i] / ours[i]);
    }
    System.out.printf(Locale.ROOT, "%.1f million simple operations a second%n", operations());
  }

  /**
   * Seven a turn of the loop: compare, increment, read a property, multiply, add, write a property,
   * jump.
   */
  private static double operations() {
    int turns = 3_000_000;
    Script script =
        Script.parse(
                "loop",
                "const o = { sum: 0, step: 3 }\n"
                    + "for (let i = 0; i < "
                    + turns
                    + "; i++) { o.sum = i * o.step + i }\n"
                    + "return o.sum")
            .orThrow();
    double best = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      best = Math.min(best, millis(() -> runOurs(script)));
    }
    return 7.0 * turns / (best * 1000);
  }

  private static String runOurs(Script script) {
    Machine machine =
        Machine.start(
            script,
            "{}",
            new RunContext("r", "t", 1),
            new FixedHost(),
            Limits.DEFAULT.withOperations(1_000_000_000));
    return ((Step.Done) machine.run()).value();
  }

  /** Time of this thread alone, so that a busy machine does not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double millis(Supplier<String> run) {
    long start = cpuNanos();
    run.get();
    return (cpuNanos() - start) / 1e6;
  }
}
