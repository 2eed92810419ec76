package dev.pawl.bench.report;

import dev.pawl.bench.works.Work;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The results as bars, one panel a work, in an SVG that is readable on light and dark pages. Bars
 * begin at zero and are to scale.
 */
final class Chart {
  private static final int WIDTH = 800;
  private static final int LABELS = 190;
  private static final int VALUES = 145;
  private static final int BAR = 18;
  private static final int PITCH = 26;
  private static final int PANEL_HEAD = 58;
  private static final int PANEL_FOOT = 26;
  private static final int MARGIN = 24;
  private static final double THINNEST = 2;
  private static final String FOOTNOTE =
      "Pawl 3 ×: Pawl is three times better, on Postgres if it was measured there. Medians of the"
          + " rounds.";

  private static final String STYLE =
      """
      text { font-family: system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328; }
      .page { fill: #ffffff; }
      .title { font-size: 15px; font-weight: 600; }
      .unit { font-size: 12px; fill: #59636e; }
      .label { font-size: 13px; }
      .value { font-size: 13px; font-variant-numeric: tabular-nums; }
      .ratio { fill: #59636e; }
      .pawl { fill: #0969da; }
      .pawl-label { font-weight: 600; }
      .peer { fill: #9aa4af; }
      .unsafe { fill: none; stroke: #9aa4af; stroke-width: 1.5; stroke-dasharray: 4 3; }
      .limit { fill: #d6dce2; }
      .line { stroke: #d1d9e0; }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .page { fill: #0d1117; }
        .unit, .ratio { fill: #9198a1; }
        .pawl { fill: #4493f8; }
        .peer { fill: #6b7480; }
        .unsafe { stroke: #6b7480; }
        .limit { fill: #30363d; }
        .line { stroke: #3d444d; }
      }
      """;

  private final Results results;

  Chart(Results results) {
    this.results = results;
  }

  /** One panel: a work at one concurrency. */
  private record Panel(String title, String unit, boolean moreIsBetter, List<Result> bars) {}

  String svg() {
    List<Panel> panels = panels();
    StringBuilder body = new StringBuilder();
    int y = MARGIN;
    for (Panel panel : panels) {
      y = draw(body, panel, y);
    }
    text(body, MARGIN, y, "unit", "", FOOTNOTE);
    int height = y + MARGIN;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="Pawl and its peers, as bars">
    <style>
    %s</style>
    <rect class="page" width="%d" height="%d" rx="6"/>
    %s</svg>
    """
        .formatted(WIDTH, height, WIDTH, height, STYLE, WIDTH, height, body);
  }

  private List<Panel> panels() {
    List<Panel> panels = new ArrayList<>();
    add(panels, Work.TASK, 1, Work.TASK.about());
    for (int concurrency : new int[] {64, 256}) {
      add(panels, Work.FLOW5, concurrency, Work.FLOW5.about() + ", " + concurrency + " at once");
    }
    add(panels, Work.FLOW1, 1, Work.FLOW1.about());
    add(panels, Work.SIGNAL, 1, Work.SIGNAL.about());
    add(panels, Work.SLEEPERS, 1, Work.SLEEPERS.about());
    add(panels, Work.FANOUT1000, 1, Work.FANOUT1000.about());
    add(panels, Work.PAYLOAD, 1, Work.PAYLOAD.about());
    return panels;
  }

  private void add(List<Panel> panels, Work work, int concurrency, String title) {
    boolean more = work.unit().isMoreBetter();
    Comparator<Result> order = Comparator.comparingDouble(Result::figure);
    List<Result> bars =
        results.of(work).stream()
            .filter(each -> each.concurrency() == concurrency && each.figure() > 0)
            .filter(each -> !each.system().equals("raw-single"))
            .filter(each -> more || !each.system().startsWith("raw"))
            .sorted(more ? order.reversed() : order)
            .toList();
    if (!bars.isEmpty()) {
      panels.add(new Panel(capital(title), work.unit().label(), more, bars));
    }
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private int draw(StringBuilder out, Panel panel, int top) {
    double most = panel.bars().stream().mapToDouble(Result::figure).max().orElse(1);
    double room = WIDTH - 2.0 * MARGIN - LABELS - VALUES;
    text(out, MARGIN, top + 16, "title", "", panel.title());
    text(
        out,
        MARGIN,
        top + 36,
        "unit",
        "",
        panel.unit() + (panel.moreIsBetter() ? ", more is better" : ", less is better"));
    int y = top + PANEL_HEAD;
    int axis = MARGIN + LABELS;
    for (Result bar : panel.bars()) {
      double length = Math.max(THINNEST, room * bar.figure() / most);
      bar(out, bar, axis, y, length);
      y += PITCH;
    }
    out.append(
        "<line class=\"line\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
            .formatted(axis, top + PANEL_HEAD - 4, axis, y - PITCH + BAR + 4));
    return y + PANEL_FOOT;
  }

  private void bar(StringBuilder out, Result bar, int x, int y, double length) {
    boolean pawl = bar.system().equals("pawl");
    boolean limit = bar.system().startsWith("raw");
    String shape = pawl ? "pawl" : limit ? "limit" : bar.durable() ? "peer" : "unsafe";
    int base = y + BAR - 4;
    text(out, x - 10, base, pawl ? "label pawl-label" : "label", "end", name(bar));
    out.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n",
            shape,
            x,
            y,
            length,
            BAR));
    Optional<String> ratio =
        pawl || limit ? Optional.empty() : results.pawlAgainst(bar).map(Words::times);
    String value = Words.number(bar.figure());
    out.append(
        String.format(
            Locale.ROOT,
            "<text class=\"value\" x=\"%.1f\" y=\"%d\">%s%s</text>\n",
            x + length + 8,
            base,
            value,
            ratio.map(times -> " <tspan class=\"ratio\">· Pawl " + times + "</tspan>").orElse("")));
  }

  private static String name(Result bar) {
    if (bar.system().equals("pawl")) {
      return "Pawl on " + (bar.store().equals("sqlite") ? "SQLite" : "Postgres");
    }
    if (bar.system().startsWith("raw")) {
      return "bare " + (bar.store().equals("sqlite") ? "SQLite" : "Postgres") + ", same rows";
    }
    return bar.durable() ? bar.system() : bar.system() + " (not durable)";
  }

  private static void text(
      StringBuilder out, int x, int y, String style, String anchor, String text) {
    out.append(
        "<text class=\"%s\" x=\"%d\" y=\"%d\"%s>%s</text>\n"
            .formatted(
                style,
                x,
                y,
                anchor.isEmpty() ? "" : " text-anchor=\"" + anchor + "\"",
                text.replace("&", "&amp;").replace("<", "&lt;")));
  }
}
