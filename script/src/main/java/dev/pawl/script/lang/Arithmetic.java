package dev.pawl.script.lang;

/** Operators that are seldom enough not to be in the interpreter's loop. */
final class Arithmetic {
  private Arithmetic() {}

  static Object remainder(Object a, Object b) {
    double x = Values.number(a, "%");
    double y = Values.number(b, "%");
    int whole = (int) x;
    int divisor = (int) y;
    if (whole == x && divisor == y && whole >= 0 && divisor > 0) {
      return (double) (whole % divisor);
    }
    return x % y;
  }

  static Object power(Object a, Object b) {
    return Values.power(Values.number(a, "**"), Values.number(b, "**"));
  }
}
