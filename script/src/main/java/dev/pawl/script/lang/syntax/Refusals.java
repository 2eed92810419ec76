package dev.pawl.script.lang.syntax;

import java.util.Map;
import java.util.Optional;

/** What JavaScript has and the script language has not, and what to write instead. */
public final class Refusals {
  static final String REGEX =
      "regular expressions are not in the language: use `includes`, `startsWith`, `split` or"
          + " `replaceAll` with a text";
  static final String LABEL =
      "labels are not in the language: put the loops into a function and `return` from it";
  static final String COMMA =
      "the comma operator is not in the language: write each part as a statement of its own";
  static final String TAGGED =
      "tagged templates are not in the language: call the function with the template as its"
          + " argument";
  static final String GENERATOR =
      "generator functions are not in the language: fill a list and return it";
  static final String UNARY_PLUS =
      "unary `+` is not in the language: use `Number(value)` to read a number from a text";
  static final String ACCESSOR =
      "getters and setters are not in the language: use a function as the value of a property";
  static final String FOR_AWAIT =
      "`for await` is not in the language: use `for (const x of list)` and `await` inside it";
  static final String HOLE =
      "lists without an element at some place are not in the language: write `null` there";
  static final String PATTERN_ASSIGNMENT =
      "taking a value apart in an assignment is not in the language: declare the names with `let {"
          + " … } =` or assign them one by one";

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("var", "`var` is not in the language: use `let` or `const`"),
          Map.entry(
              "this",
              "`this` is not in the language: hand the object to the function as a parameter"),
          Map.entry("super", "`super` is not in the language: there are no classes"),
          Map.entry(
              "class",
              "`class` is not in the language: use functions that make and take a plain object"),
          Map.entry("yield", "`yield` is not in the language: fill a list and return it"),
          Map.entry(
              "import",
              "`import` is not in the language: a script is one file; call another with"
                  + " `Workflow.run`"),
          Map.entry(
              "export",
              "`export` is not in the language: a script is one file; others call it with"
                  + " `Workflow.run`"),
          Map.entry(
              "with",
              "`with` is not in the language: take the object apart, `const { a } =" + " object`"),
          Map.entry(
              "debugger", "`debugger` is not in the language: write values out with `log(value)`"),
          Map.entry("void", "`void` is not in the language: use `null`"),
          Map.entry("enum", "`enum` is not in the language: use an object with constant values"));

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("undefined", "`undefined` is not in the language: use `null`"),
          Map.entry("NaN", "`NaN` is not in the language: test a number with `Number.isNaN(x)`"),
          Map.entry(
              "Infinity",
              "`Infinity` is not in the language: use a large number, or test with"
                  + " `Number.isFinite(x)`"),
          Map.entry("eval", "`eval` is not in the language: a script cannot run text as code"),
          Map.entry(
              "arguments",
              "`arguments` is not in the language: declare a rest parameter, `(...values)`"));

  private static final Map<String, String> SIGNS =
      Map.of(
          "**=", "`**=` is not in the language: write `a = a ** b`",
          "&&=", "`&&=` is not in the language: write `a = a && b`",
          "||=", "`||=` is not in the language: write `a = a || b`",
          "??=", "`??=` is not in the language: write `a = a ?? b`");

  private Refusals() {}

  static Optional<String> ofWord(String word) {
    return Optional.ofNullable(WORDS.get(word));
  }

  /** For names that JavaScript gives a meaning of their own and no script may use. */
  public static Optional<String> ofName(String name) {
    return Optional.ofNullable(NAMES.get(name));
  }

  static Optional<String> ofAssignment(String sign) {
    return switch (sign) {
      case "&=", "|=", "^=", "<<=", ">>=", ">>>=" -> Optional.of(bits(sign));
      default -> Optional.ofNullable(SIGNS.get(sign));
    };
  }

  static String bits(String sign) {
    return "the bit operator `"
        + sign
        + "` is not in the language: use arithmetic and `Math`, such as `Math.floor(a / 2 ** n)`";
  }

  static String construction(String name) {
    return switch (name) {
      case "Date" -> "`new Date` is not in the language: `Date.now()` gives the milliseconds";
      case "Promise" ->
          "`new Promise` is not in the language: call an async function; only `new Error(message)`"
              + " makes something new";
      case "Map", "Set", "WeakMap", "WeakSet" ->
          "`new "
              + name
              + "` is not in the language: use an object or a list; only `new"
              + " Error(message)` makes something new";
      default ->
          "`new "
              + name
              + "` is not in the language: only `new Error(message)` is; call a function that"
              + " returns an object";
    };
  }

  static String method(String name) {
    return "methods in an object literal are not in the language: write `"
        + name
        + ": (…) => { … }`";
  }
}
