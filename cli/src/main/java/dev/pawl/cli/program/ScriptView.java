package dev.pawl.cli.program;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.json.Json;
import dev.pawl.script.lang.View;
import dev.pawl.store.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The source of a script with the line it stands at, and the variables there. */
final class ScriptView implements ProgramView {
  private static final int LINES_AROUND = 6;
  private static final int VALUE_CHARS = 100;

  private final Definition definition;
  private final List<View> views;

  /** The main program is the first of the views; there is none if the script stands nowhere. */
  ScriptView(Definition definition, List<View> views) {
    this.definition = definition;
    this.views = views;
  }

  private Optional<View> main() {
    return views.stream().findFirst();
  }

  // ---- for people ----

  @Override
  public List<String> lines(Paint paint, boolean full) {
    List<String> lines = new ArrayList<>();
    if (main().isEmpty() && !full) {
      return lines;
    }
    lines.add("");
    lines.add(
        paint.apply(Tone.STRONG, "source")
            + main().map(view -> " at line " + view.line() + " (" + view.path() + ")").orElse("")
            + paint.apply(Tone.FAINT, "  definition " + definition.hash()));
    source(lines, paint, full);
    main().ifPresent(view -> variables(view, lines, full));
    views.stream().skip(1).forEach(view -> aside(view, lines, paint, full));
    return lines;
  }

  private void source(List<String> lines, Paint paint, boolean full) {
    List<String> source = definition.source().lines().toList();
    int here = main().map(View::line).orElse(0);
    for (int number = 1; number <= source.size(); number++) {
      if (full || Math.abs(number - here) <= LINES_AROUND) {
        boolean marked = number == here;
        String line =
            "%s%4d  %s"
                .formatted(marked ? ">" : " ", number, Text.harmless(source.get(number - 1)));
        lines.add(marked ? paint.apply(Tone.WAITING, line) : line);
      }
    }
  }

  private static void variables(View view, List<String> lines, boolean full) {
    view.locals()
        .forEach((name, json) ->
            lines.add("       " + name + " = " + (full ? json : Text.shorten(json, VALUE_CHARS))));
  }

  private static void aside(View view, List<String> lines, Paint paint, boolean full) {
    lines.add(paint.apply(Tone.FAINT, "  beside it: " + view.path() + " at line " + view.line()));
    variables(view, lines, full);
  }

  // ---- for programs ----

  @Override
  public JsonLine addTo(JsonLine run) {
    run.put("source", definition.source());
    main().ifPresent(view -> add(view, run));
    return views.size() < 2
        ? run
        : run.put("beside", views.stream().skip(1).map(view -> add(view, new JsonLine())).toList());
  }

  private static JsonLine add(View view, JsonLine to) {
    JsonLine locals = new JsonLine();
    view.locals().forEach((name, json) -> locals.put(name, Json.stored(json)));
    return to.put("line", view.line())
        .put("column", view.column())
        .put("ast_path", view.path())
        .put("locals", locals)
        .put("__suspended_task", Json.stored(view.suspended()));
  }
}
