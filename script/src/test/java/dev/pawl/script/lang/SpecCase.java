package dev.pawl.script.lang;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One file of the corpus: what it gives and what it expects, as {@code spec/README.md} has it. */
final class SpecCase {
  private static final Pattern ERROR =
      Pattern.compile("(\\S+?)(?: at (\\d+)(?::(\\d+))?)?(?:: (.*))?");
  private static final Pattern OUTCOME =
      Pattern.compile("(\\S+) (-> .*?|echoes|never|fails .*?)(?: after (\\S+))?");
  private static final Pattern MESSAGE = Pattern.compile("(\\S+) (.*) at (\\S+)");

  final String name;
  final String source;
  String inputs = "{}";
  long startMillis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
  final Map<String, List<Outcome>> tasks = new LinkedHashMap<>();
  final Map<String, List<Outcome>> workflows = new LinkedHashMap<>();
  final List<Message> messages = new ArrayList<>();
  Limits limits = Limits.DEFAULT;

  Optional<String> value = Optional.empty();
  final List<Mistake> errors = new ArrayList<>();
  boolean suspended;
  int suspendedLine;
  final List<String> log = new ArrayList<>();
  Optional<String> started = Optional.empty();
  final Map<String, List<String>> taskInputs = new LinkedHashMap<>();
  final Map<String, List<String>> taskOptions = new LinkedHashMap<>();
  Optional<Long> time = Optional.empty();

  record Outcome(String kind, String json, long afterMillis) {}

  record Message(boolean event, String name, String json, long atMillis) {}

  record Mistake(String code, int line, int column, String fragment) {}

  SpecCase(String name, String source) {
    this.name = name;
    this.source = source;
    source.lines().map(String::strip).forEach(this::directive);
  }

  static SpecCase read(Path root, Path file) {
    try {
      return new SpecCase(root.relativize(file).toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void directive(String line) {
    if (line.startsWith("// given: ")) {
      given(line.substring("// given: ".length()));
    } else if (line.startsWith("// expect")) {
      expect(line.substring("// expect".length()));
    }
  }

  private void given(String line) {
    int blank = line.indexOf(' ');
    String kind = line.substring(0, blank);
    String rest = line.substring(blank + 1);
    switch (kind) {
      case "inputs" -> inputs = rest;
      case "start" -> startMillis = Instant.parse(rest).toEpochMilli();
      case "task" -> outcome(rest, tasks);
      case "workflow" -> outcome(rest, workflows);
      case "signal", "event" -> {
        Matcher message = matched(MESSAGE, rest);
        messages.add(
            new Message(
                kind.equals("event"),
                message.group(1),
                message.group(2),
                Durations.millis(message.group(3))));
      }
      case "limit" -> limit(rest.split(" ")[0], Long.parseLong(rest.split(" ")[1]));
      default -> throw new IllegalArgumentException("cannot read: given " + line);
    }
  }

  private void outcome(String rest, Map<String, List<Outcome>> to) {
    Matcher outcome = matched(OUTCOME, rest);
    String what = outcome.group(2);
    String kind = what.startsWith("-> ") ? "->" : what.split(" ")[0];
    String json = what.contains(" ") ? what.substring(what.indexOf(' ') + 1) : "null";
    long after = outcome.group(3) == null ? 0 : Durations.millis(outcome.group(3));
    to.computeIfAbsent(outcome.group(1), n -> new ArrayList<>())
        .add(new Outcome(kind, json, after));
  }

  private void limit(String kind, long most) {
    limits =
        switch (kind) {
          case "operations" -> limits.withOperations(most);
          case "depth" -> limits.withDepth((int) most);
          case "heap" -> limits.withHeapBytes(most);
          case "output" -> limits.withOutputBytes((int) most);
          default -> throw new IllegalArgumentException("unknown limit " + kind);
        };
  }

  private void expect(String line) {
    if (line.startsWith(": ")) {
      value = Optional.of(line.substring(2));
    } else if (line.startsWith(" error ")) {
      Matcher error = matched(ERROR, line.substring(" error ".length()));
      errors.add(
          new Mistake(
              error.group(1),
              error.group(2) == null ? 0 : Integer.parseInt(error.group(2)),
              error.group(3) == null ? 0 : Integer.parseInt(error.group(3)),
              error.group(4) == null ? "" : error.group(4)));
    } else if (line.startsWith(" suspended")) {
      suspended = true;
      suspendedLine = line.contains(" at ") ? Integer.parseInt(line.split(" at ")[1]) : 0;
    } else if (line.startsWith(" log:")) {
      log.add(line.length() > 6 ? line.substring(6) : "");
    } else if (line.startsWith(" tasks: ")) {
      started = Optional.of(line.substring(" tasks: ".length()));
    } else if (line.startsWith(" time: ")) {
      time = Optional.of(Durations.millis(line.substring(" time: ".length())));
    } else if (line.startsWith(" task ")) {
      String[] words = line.substring(" task ".length()).split(" ", 3);
      (words[1].equals("inputs") ? taskInputs : taskOptions)
          .computeIfAbsent(words[0], n -> new ArrayList<>())
          .add(words[2]);
    } else {
      throw new IllegalArgumentException("cannot read: expect" + line);
    }
  }

  private static Matcher matched(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("cannot read: " + text);
    }
    return matcher;
  }
}
