package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.Words;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The names that every script has without declaring them. */
final class Globals {
  static final String INPUTS = "Inputs";
  static final String CONTEXT = "Context";

  private static final Map<String, String> ADVICE =
      Map.ofEntries(
          Map.entry("console", "use `log(value)`"),
          Map.entry("setTimeout", "use `await Timer.delay(seconds)`"),
          Map.entry("setInterval", "use a loop with `await Timer.delay(seconds)`"),
          Map.entry("fetch", "use `await Task.run(name, inputs)`"),
          Map.entry("require", "a script is one file; use `Workflow.run`"),
          Map.entry("process", "a script sees only `Inputs` and `Context`"),
          Map.entry("globalThis", "a script sees only `Inputs` and `Context`"),
          Map.entry("window", "a script sees only `Inputs` and `Context`"),
          Map.entry(
              "Array",
              "write a list literal; `Object.keys` and the methods of lists do the" + " rest"),
          Map.entry("Error", "write `new Error(message)`"),
          Map.entry("Map", "use an object"),
          Map.entry("Set", "use a list or an object"),
          Map.entry("Symbol", "use a text"),
          Map.entry("RegExp", "use the methods of texts"),
          Map.entry("parseInt", "use `Number(text)`"),
          Map.entry("parseFloat", "use `Number(text)`"),
          Map.entry("isNaN", "use `Number.isNaN(value)`"),
          Map.entry("isFinite", "use `Number.isFinite(value)`"));

  /** The first parts of the library's names, and what stands alone. */
  static final Set<String> NAMES = names();

  /** The names that have members. */
  private static final Set<String> NAMESPACES = namespaces();

  private Globals() {}

  private static Set<String> namespaces() {
    return Library.names().stream()
        .filter(name -> name.indexOf('.') > 0)
        .map(name -> name.substring(0, name.indexOf('.')))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Set<String> names() {
    Set<String> names = new TreeSet<>(List.of(INPUTS, CONTEXT));
    for (String name : Library.names()) {
      int dot = name.indexOf('.');
      names.add(dot < 0 ? name : name.substring(0, dot));
    }
    Library.constants().keySet().forEach(name -> names.add(name.substring(0, name.indexOf('.'))));
    return names;
  }

  /** Whether the name has members in the library. */
  static boolean isNamespace(String name) {
    return NAMESPACES.contains(name);
  }

  static boolean isCallable(String name) {
    return Library.find(name) != null;
  }

  /** The builtin or constant, or nothing. */
  static @Nullable Object member(String namespace, String name) {
    String full = namespace + "." + name;
    Object constant = Library.constants().get(full);
    return constant != null ? constant : Library.find(full);
  }

  static String example(String namespace) {
    return members(namespace).stream()
        .findFirst()
        .map(member -> namespace + "." + member)
        .orElse(namespace);
  }

  private static List<String> members(String namespace) {
    List<String> members = new ArrayList<>();
    for (String name : Library.names()) {
      if (name.startsWith(namespace + ".")) {
        members.add(name.substring(namespace.length() + 1));
      }
    }
    return members;
  }

  static String unknownMember(String namespace, String name) {
    List<String> members = members(namespace);
    return "`%s` has no member `%s`".formatted(namespace, name)
        + Words.near(name, members)
            .map(near -> ": did you mean `" + namespace + "." + near + "`?")
            .orElse("; it has " + String.join(", ", members));
  }

  static String undeclared(String name, Collection<String> visible) {
    String advice = ADVICE.get(name);
    if (advice != null) {
      return "`" + name + "` is not declared: " + advice;
    }
    List<String> candidates = new ArrayList<>(visible);
    candidates.addAll(NAMES);
    return "`"
        + name
        + "` is not declared"
        + Words.near(name, candidates)
            .map(near -> ": did you mean `" + near + "`?")
            .orElse(": declare it with `let` or `const`");
  }
}
