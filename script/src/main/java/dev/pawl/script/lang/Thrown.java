package dev.pawl.script.lang;

/** An error on its way through the script. Any value can be thrown. */
final class Thrown extends RuntimeException {
  final transient Object value;

  Thrown(Object value) {
    super("", null, false, false);
    this.value = value;
  }

  static Thrown of(String code, String message) {
    return new Thrown(new ErrorValue(code, message));
  }

  static Thrown type(String message) {
    return of("TYPE_ERROR", message);
  }

  static Thrown input(String message) {
    return of("BAD_INPUT", message);
  }
}
