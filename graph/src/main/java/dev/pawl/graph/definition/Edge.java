package dev.pawl.graph.definition;

/**
 * A way for messages from a handle of one node to a handle of another. A handle left empty means
 * the only one there is.
 */
public record Edge(
    String source, String sourceHandle, String target, String targetHandle, Kind kind) {

  /** What an edge carries. */
  public enum Kind {
    /** Values. */
    DATA,
    /** Orders: to run with other properties, or to stop. */
    CONTROL,
    /** The failure of its source, which then does not fail the run. */
    ERROR
  }

  public static Edge data(String source, String sourceHandle, String target, String targetHandle) {
    return new Edge(source, sourceHandle, target, targetHandle, Kind.DATA);
  }

  /** The edge's name in the log and in messages: {@code resize.image>store.file}. */
  public String id() {
    return switch (kind) {
      case DATA -> source + "." + sourceHandle + ">" + target + "." + targetHandle;
      case CONTROL -> source + "." + sourceHandle + ">" + target + "!control";
      case ERROR -> source + "!error>" + target + "." + targetHandle;
    };
  }

  /** The same edge between these handles. */
  public Edge between(String output, String input) {
    return new Edge(source, output, target, input, kind);
  }
}
