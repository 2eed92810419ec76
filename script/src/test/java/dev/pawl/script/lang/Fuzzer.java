package dev.pawl.script.lang;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Throws broken scripts at something and waits for anything but a clear answer. Starts from scripts
 * that are fine, given or written at random, and cuts, repeats, swaps and mixes their pieces.
 */
final class Fuzzer {
  private static final String[] PIECES = {
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "`",
    "${",
    "'",
    "\"",
    "\\",
    "/",
    "/*",
    "//",
    "?.",
    "...",
    "=>",
    "**",
    "??",
    "await ",
    "async ",
    "function ",
    "return ",
    "for (",
    " of ",
    " in ",
    "let ",
    "const ",
    "try {",
    "} catch (e) {",
    "} finally {",
    "switch (1) { case 1:",
    "break",
    "continue",
    "new Error(",
    "throw ",
    "class A {",
    "yield",
    "\n",
    "\u2028",
    "\ud800",
    "0x",
    "1e",
    "1_",
    ".5",
    "delete ",
    "typeof ",
    "--",
    "++",
    "Promise.all([",
    "Task.run('t')",
    "Timer.delay(1)",
    "Signal.next('s')",
    ".map(async x => await x)",
    ".sort((a, b) => a - b)",
    "null",
    "-0",
    "[].reduce((a, b) => a)",
    "x = ",
    "---\n",
    "\u0000",
    "#!",
    "@",
    "workflow w(i) {",
    "JSON.parse(",
  };

  /** Every so many inputs, one is a whole program written at random, with few changes or none. */
  private static final int WRITTEN = 3;

  private final SplittableRandom random;
  private final List<String> seeds;
  private long executions;

  Fuzzer(long seed, List<String> seeds) {
    this.random = new SplittableRandom(seed);
    this.seeds = new ArrayList<>(seeds);
  }

  /** Tries so many; returns the first input that made the target throw, or nothing. */
  String hunt(int tries, Consumer<String> target) {
    return hunt(() -> executions < tries, target);
  }

  /** Tries as long as it may; returns the first input that made the target throw, or nothing. */
  String hunt(BooleanSupplier goOn, Consumer<String> target) {
    while (goOn.getAsBoolean()) {
      executions++;
      String input = executions % WRITTEN == 0 ? written() : mutated(pick(), 6);
      try {
        target.accept(input);
      } catch (RuntimeException | Error e) {
        return input + "\n-> " + e;
      }
    }
    return "";
  }

  /** How many inputs were tried. */
  long executions() {
    return executions;
  }

  private String written() {
    String program = new RandomProgram(random.nextLong()).write();
    return random.nextBoolean() ? program : mutated(program, 1);
  }

  private String mutated(String seed, int most) {
    StringBuilder text = new StringBuilder(seed);
    int changes = 1 + random.nextInt(most);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(6)) {
        case 0 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
        case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(8)));
        case 2 -> text.setLength(at);
        case 3 ->
            text.insert(at, PIECES[random.nextInt(PIECES.length)].repeat(1 + random.nextInt(40)));
        case 4 -> {
          String other = pick();
          int from = random.nextInt(other.length() + 1);
          text.insert(at, other.substring(from, Math.min(other.length(), from + 60)));
        }
        default -> {
          if (at < text.length()) {
            text.setCharAt(at, (char) random.nextInt(random.nextInt(4) == 0 ? 0x10000 : 128));
          }
        }
      }
    }
    return text.toString();
  }

  private String pick() {
    return seeds.get(random.nextInt(seeds.size()));
  }
}
