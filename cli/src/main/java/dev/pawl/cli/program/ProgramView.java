package dev.pawl.cli.program;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Paint;
import java.util.List;

/** Where a run stands in its program. */
public interface ProgramView {
  /**
   * For people.
   *
   * @param full whether nothing is left out
   */
  List<String> lines(Paint paint, boolean full);

  /** For programs: adds members to what is told of the run. */
  JsonLine addTo(JsonLine run);
}
