package dev.pawl.script.lang;

import java.util.List;

/**
 * An error of a script. All its properties can be read from every error; {@code data}, {@code
 * source} and {@code cause} are null where there are none. The place is filled in where it is first
 * thrown.
 */
final class ErrorValue {
  static final List<String> PROPERTIES =
      List.of(
          "code", "type", "message", "data", "retryable", "attempt", "source", "cause", "stack");

  final String code;
  final String message;
  String type = "";
  Object data = Null.NULL;
  boolean retryable;
  int attempt;
  Object source = Null.NULL;
  Object cause = Null.NULL;
  String stack = "";
  int line;
  int column;

  ErrorValue(String code, String message) {
    this.code = code;
    this.message = message;
  }

  boolean isPlaced() {
    return line > 0;
  }

  /** The property, or {@link Null#UNSET}. */
  Object get(String property) {
    return switch (property) {
      case "code" -> code;
      case "type" -> type;
      case "message" -> message;
      case "data" -> data;
      case "retryable" -> retryable;
      case "attempt" -> (double) attempt;
      case "source" -> source;
      case "cause" -> cause;
      case "stack" -> stack;
      case "errors" -> code.equals("AGGREGATE") ? data : Null.UNSET;
      default -> Null.UNSET;
    };
  }
}
