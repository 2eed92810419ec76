package dev.pawl.bench.report;

import dev.pawl.bench.works.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures as a part of {@code benchmarks.md}, and the chart beside it. */
public final class Page {
  private static final String BEGIN = "<!-- figures: written by ./pawl bench --peers --out -->";
  private static final String END = "<!-- end of figures -->";

  private final Machine machine;
  private final Results results;
  private final List<Margin> margins;

  public Page(Machine machine, Results results, List<Margin> margins) {
    this.machine = machine;
    this.results = results;
    this.margins = margins;
  }

  /**
   * Puts the figures between the marks of the page in the directory; makes one if there is none.
   */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path page = directory.resolve("benchmarks.md");
    String before = "# Benchmarks\n\n";
    String behind = "";
    if (Files.exists(page)) {
      String old = Files.readString(page);
      int begin = old.indexOf(BEGIN);
      int end = old.indexOf(END);
      before = begin < 0 ? old.stripTrailing() + "\n\n" : old.substring(0, begin);
      behind = end < 0 ? "" : old.substring(end + END.length()).strip();
    }
    String text = before + BEGIN + "\n\n" + figures() + "\n" + END + "\n";
    Files.writeString(page, behind.isEmpty() ? text : text + "\n" + behind + "\n");
    Files.writeString(directory.resolve("benchmarks.svg"), new Chart(results).svg());
  }

  private String figures() {
    StringBuilder text = new StringBuilder();
    machine.lines().forEach(line -> text.append("- ").append(line).append('\n'));
    text.append("\n![The figures as bars](benchmarks.svg)\n");
    text.append("\n### What was aimed at\n\n");
    text.append("| work | against | asked | measured | met |\n|---|---|---|---|---|\n");
    for (Margin margin : margins) {
      row(
          text,
          margin.work(),
          margin.against(),
          margin.asked(),
          margin.measured().orElse(""),
          margin.verdict());
    }
    for (Work work : Work.values()) {
      works(text, work);
    }
    settings(text);
    return text.toString();
  }

  private void works(StringBuilder text, Work work) {
    List<Result> of = results.all().stream().filter(each -> each.work() == work).toList();
    if (of.isEmpty()) {
      return;
    }
    text.append("\n### ").append(work.word()).append(": ").append(work.about()).append("\n\n");
    String days = of.stream().map(Result::day).distinct().collect(Collectors.joining(", "));
    text.append("Measured: ").append(days).append(".\n\n");
    text.append("| system | at once | runs/s | p50 | p99 | rounds | spread | Pawl is | more |\n");
    text.append("|---|--:|--:|--:|--:|--:|--:|--:|---|\n");
    for (Result each : of) {
      row(
          text,
          each.contender()
              + (each.durable() ? "" : " (not durable)")
              + each.stored().map(count -> ", " + Words.number(count) + " stored").orElse(""),
          Integer.toString(each.concurrency()),
          Words.number(each.runsPerSecond()),
          Words.millis(each.p50Millis()),
          Words.millis(each.p99Millis()),
          Integer.toString(each.rounds().size()),
          Words.percent(each.spread()),
          each.system().equals("pawl") || each.stored().isPresent()
              ? ""
              : results.pawlAgainst(each).map(Words::times).orElse(""),
          TextTable.more(each));
    }
  }

  private void settings(StringBuilder text) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (Result each : results.all()) {
      if (!each.system().startsWith("raw")) {
        lines.putIfAbsent(
            each.contender(), each.settings() + ". Durability: " + each.durability() + ".");
      }
    }
    text.append("\n### Settings\n\n");
    lines.forEach(
        (who, how) -> text.append("- **").append(who).append("**: ").append(how).append('\n'));
    List<String> missing = new ArrayList<>(results.missing());
    if (!missing.isEmpty()) {
      text.append("\n### Not measured\n\n");
      missing.forEach(line -> text.append("- ").append(line).append('\n'));
    }
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
