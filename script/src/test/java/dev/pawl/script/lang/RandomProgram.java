package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes programs at random that are always accepted and always end: for comparing two ways to run
 * the same thing.
 */
final class RandomProgram {
  private final SplittableRandom random;
  private final StringBuilder out = new StringBuilder();
  private final List<String> names = new ArrayList<>();
  private int next;
  private int budget = 60;

  RandomProgram(long seed) {
    this.random = new SplittableRandom(seed);
  }

  String write() {
    out.append("const trace = []\n");
    out.append("function note(x) { if (trace.length < 200) trace.push(x); return x }\n");
    out.append("async function later(x) { await Timer.delay(1); return x }\n");
    declare(0, "");
    int statements = 4 + random.nextInt(8);
    for (int i = 0; i < statements; i++) {
      statement("", 0, false);
    }
    out.append("return [trace, ").append(String.join(", ", names)).append("]\n");
    return out.toString();
  }

  private void line(String indent, String text) {
    out.append(indent).append(text).append('\n');
  }

  private void declare(int depth, String indent) {
    String name = "v" + next++;
    line(indent, "let " + name + " = " + expression(depth));
    names.add(name);
  }

  private String name() {
    return names.get(random.nextInt(names.size()));
  }

  /** Any but the counters of loops, or the program might not end. */
  private String assignable() {
    String found = name();
    return found.startsWith("i") ? names.get(0) : found;
  }

  private void block(String indent, int depth, boolean loop, String head, String tail) {
    int visible = names.size();
    line(indent, head);
    int statements = 1 + random.nextInt(3);
    for (int i = 0; i < statements; i++) {
      statement(indent + "  ", depth + 1, loop);
    }
    while (names.size() > visible) {
      names.remove(names.size() - 1);
    }
    line(indent, tail);
  }

  private void statement(String indent, int depth, boolean loop) {
    if (budget-- <= 0 || depth > 3) {
      line(indent, "note(" + expression(2) + ")");
      return;
    }
    switch (random.nextInt(14)) {
      case 0, 1 -> declare(depth, indent);
      case 2 -> line(indent, assignable() + " = " + expression(depth));
      case 3 -> line(indent, "note(" + expression(depth) + ")");
      case 4 -> block(indent, depth, loop, "if (" + expression(1) + ") {", "}");
      case 5 -> {
        String i = "i" + next++;
        names.add(i);
        block(indent, depth, true, "for (let " + i + " = 0; " + i + " < 3; " + i + "++) {", "}");
        names.remove(i);
      }
      case 6 -> {
        String x = "x" + next++;
        names.add(x);
        block(indent, depth, true, "for (let " + x + " of [1, 'a', [2]]) {", "}");
        names.remove(x);
      }
      case 7 -> {
        String tail =
            "  if (" + expression(1) + ") throw " + expression(1) + " } catch (e) { note(e) }";
        block(indent, depth, loop, "try {", tail);
      }
      case 8 -> {
        block(indent, depth, loop, "try { try {", "} finally { note('f') } } catch { note('c') }");
      }
      case 9 -> line(indent, loop ? "if (note(" + expression(1) + ")) break" : "note(0)");
      case 10 -> line(indent, loop ? "if (" + expression(1) + ") continue" : "note(1)");
      case 11 -> line(indent, "note(await later(" + expression(1) + "))");
      case 12 ->
          line(
              indent,
              "note(await Promise.all([1, 2].map(async q => [note(q), await later("
                  + expression(1)
                  + ")])))");
      default ->
          line(
              indent,
              "note([3, 1, 2].sort((p, q) => note(p) - q).map(x => [x, " + expression(1) + "]))");
    }
  }

  private String expression(int depth) {
    if (depth > 2 || names.isEmpty()) {
      return literal();
    }
    return switch (random.nextInt(14)) {
      case 0, 1 -> literal();
      case 2, 3, 4 -> name();
      case 5 -> "('' + " + expression(depth + 1) + " + " + expression(depth + 1) + ")";
      case 6 -> "(" + expression(depth + 1) + " === " + expression(depth + 1) + ")";
      case 7 ->
          "("
              + expression(depth + 1)
              + " ? "
              + expression(depth + 1)
              + " : "
              + expression(depth + 1)
              + ")";
      case 8 -> "(" + expression(depth + 1) + " ?? " + expression(depth + 1) + ")";
      case 9 -> "[" + expression(depth + 1) + ", " + expression(depth + 1) + "]";
      case 10 -> "({ a: " + expression(depth + 1) + ", b: " + expression(depth + 1) + " })";
      case 11 -> "(" + expression(depth + 1) + " || (() => " + expression(depth + 1) + ")())";
      case 12 -> "`${" + expression(depth + 1) + "}`";
      default -> "(Number(" + expression(depth + 1) + ") * Number(" + literal() + "))";
    };
  }

  private String literal() {
    String[] all = {"0", "1", "2.5", "'a'", "''", "null", "true", "false", "[1, 2]", "({ k: 1 })"};
    return all[random.nextInt(all.length)];
  }
}
