package dev.pawl.cli.syntax;

import dev.pawl.cli.exit.CommandException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a command is called, what it takes, and how it is explained. Immutable: each method returns
 * a copy with one thing more.
 *
 * @param notes printed behind the options: examples, and what else is good to know
 */
public record Syntax(
    String name, String about, List<Parameter> parameters, List<Option> options, String notes) {
  private static final Pattern NUMBER = Pattern.compile("-\\d.*");

  /** Options that stand before or behind any command. */
  public static final List<Option> GLOBAL =
      List.of(
          new Option(
              List.of("--store"),
              "URL",
              "Where the runs live: sqlite:FILE. Default: $PAWL_STORE, else sqlite:pawl.db",
              false),
          new Option(
              List.of("--json"), "", "For programs: one JSON object per line, errors too", false),
          new Option(
              List.of("--no-color"),
              "",
              "No colours; also by NO_COLOR, and where output is not a screen",
              false),
          new Option(List.of("--debug"), "", "Stack traces of errors; also by PAWL_DEBUG=1", false),
          new Option(List.of("--help", "-h"), "", "Explain the command", false));

  /**
   * A word that is told by its place.
   *
   * @param many whether all words that are left belong to it; only the last one may
   */
  public record Parameter(String label, String help, boolean required, boolean many) {}

  /**
   * A word that is told by its name.
   *
   * @param names the long one first
   * @param label what its value is; empty for a flag, which has none
   * @param repeatable whether it may be given more than once
   */
  public record Option(List<String> names, String label, String help, boolean repeatable) {
    public String name() {
      return names.getFirst();
    }

    public boolean isFlag() {
      return label.isEmpty();
    }
  }

  public static Syntax of(String name, String about) {
    return new Syntax(name, about.strip(), List.of(), List.of(), "");
  }

  public Syntax parameter(String label, String help) {
    return with(new Parameter(label, help, true, false));
  }

  /** All words from here on, at least one: {@link Arguments#values} gives them. */
  public Syntax parameters(String label, String help) {
    return with(new Parameter(label, help, true, true));
  }

  public Syntax optional(String label, String help) {
    return with(new Parameter(label, help, false, false));
  }

  /** An option with a value. Several names are separated by spaces, the long one first. */
  public Syntax option(String names, String label, String help) {
    return with(new Option(List.of(names.split(" ")), label, help, false));
  }

  public Syntax repeatable(String names, String label, String help) {
    return with(new Option(List.of(names.split(" ")), label, help, true));
  }

  public Syntax flag(String names, String help) {
    return with(new Option(List.of(names.split(" ")), "", help, false));
  }

  public Syntax notes(String text) {
    return new Syntax(name, about, parameters, options, text.strip());
  }

  private Syntax with(Parameter parameter) {
    return new Syntax(name, about, plus(parameters, parameter), options, notes);
  }

  private Syntax with(Option option) {
    return new Syntax(name, about, parameters, plus(options, option), notes);
  }

  private static <T> List<T> plus(List<T> list, T one) {
    List<T> more = new ArrayList<>(list);
    more.add(one);
    return List.copyOf(more);
  }

  // ---- reading ----

  /** Sorts the words that were given, without the command's own name. */
  public Arguments parse(List<String> words) {
    Map<String, List<String>> options = new LinkedHashMap<>();
    List<String> places = new ArrayList<>();
    boolean onlyPlaces = false;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (onlyPlaces || isPlace(word)) {
        places.add(word);
      } else if (word.equals("--")) {
        onlyPlaces = true;
      } else {
        i +=
            option(
                word,
                i + 1 < words.size() ? Optional.of(words.get(i + 1)) : Optional.empty(),
                options);
      }
    }
    if (!parameters.isEmpty() && parameters.getLast().many()) {
      int before = parameters.size() - 1;
      List<String> all = places.size() > before ? places.subList(before, places.size()) : List.of();
      options.put(parameters.getLast().label(), List.copyOf(all));
      places = new ArrayList<>(places.subList(0, Math.min(places.size(), parameters.size())));
    }
    return new Arguments(this, assign(places, options.containsKey("--help")), options);
  }

  private static boolean isPlace(String word) {
    return !word.startsWith("-") || word.equals("-") || NUMBER.matcher(word).matches();
  }

  /** Takes an option; returns how many more words it used. */
  private int option(String word, Optional<String> next, Map<String, List<String>> into) {
    int equals = word.startsWith("--") ? word.indexOf('=') : -1;
    String named = equals < 0 ? word : word.substring(0, equals);
    Option option = find(named).orElseThrow(() -> unknown(named));
    List<String> values = into.computeIfAbsent(option.name(), name -> new ArrayList<>());
    if (!values.isEmpty() && !option.repeatable() && !option.isFlag()) {
      throw misused(option.name() + " was given twice");
    }
    if (option.isFlag()) {
      if (equals >= 0) {
        throw misused(option.name() + " takes no value");
      }
      values.add("");
      return 0;
    }
    if (equals >= 0) {
      values.add(word.substring(equals + 1));
      return 0;
    }
    values.add(
        next.orElseThrow(() -> misused(option.name() + " needs a value, " + option.label())));
    return 1;
  }

  private Optional<Option> find(String named) {
    return all().stream().filter(option -> option.names().contains(named)).findFirst();
  }

  /** The command's own options, and the global ones. */
  public List<Option> all() {
    List<Option> all = new ArrayList<>(options);
    all.addAll(GLOBAL);
    return all;
  }

  private CommandException unknown(String named) {
    String near =
        all().stream()
            .map(Option::name)
            .filter(name -> name.startsWith(named) || named.startsWith(name))
            .findFirst()
            .map(name -> "; did you mean " + name + "?")
            .orElse("");
    return misused("there is no option " + named + near);
  }

  private Map<String, String> assign(List<String> places, boolean lenient) {
    Map<String, String> assigned = new LinkedHashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      if (i < places.size()) {
        assigned.put(parameters.get(i).label(), places.get(i));
      } else if (parameters.get(i).required() && !lenient) {
        throw misused(parameters.get(i).label() + " is missing");
      }
    }
    if (places.size() > parameters.size()) {
      throw misused("'" + places.get(parameters.size()) + "' is one word too many");
    }
    return assigned;
  }

  /** A complaint about how the command was used, which says where to read up. */
  public CommandException misused(String what) {
    return CommandException.usage(
        what + " ('pawl" + (name.isEmpty() ? "" : " " + name) + " --help')");
  }

  // ---- explaining ----

  /** What {@code --help} prints. */
  public List<String> help() {
    List<String> lines = new ArrayList<>();
    lines.add("Usage: pawl " + name + usage());
    lines.add("");
    about.lines().forEach(lines::add);
    lines.add("");
    int width = 0;
    for (Option option : all()) {
      width = Math.max(width, heading(option).length());
    }
    for (Parameter parameter : parameters) {
      lines.add(entry(parameter.label(), parameter.help(), width));
    }
    for (Option option : all()) {
      lines.add(entry(heading(option), option.help(), width));
    }
    if (!notes.isEmpty()) {
      lines.add("");
      notes.lines().forEach(lines::add);
    }
    return lines;
  }

  private String usage() {
    StringBuilder words = new StringBuilder();
    for (Parameter parameter : parameters) {
      words.append(' ');
      words.append(parameter.required() ? parameter.label() : "[" + parameter.label() + "]");
      words.append(parameter.many() ? " …" : "");
    }
    return words + " [OPTION …]";
  }

  private static String heading(Option option) {
    return String.join(", ", option.names().reversed())
        + (option.isFlag() ? "" : " " + option.label());
  }

  private static String entry(String heading, String help, int width) {
    String gap = " ".repeat(width + 4);
    return "  " + heading + gap.substring(heading.length() + 2) + help.replace("\n", "\n" + gap);
  }
}
