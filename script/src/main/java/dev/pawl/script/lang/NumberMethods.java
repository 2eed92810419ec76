package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.NumberText;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** The methods of numbers. */
final class NumberMethods {
  private static final double LARGEST_PLAIN = 1e21;

  private NumberMethods() {}

  static Object call(double number, String name, Arguments a) {
    return switch (name) {
      case "toFixed" -> toFixed(number, a.number(0, 0));
      case "toString" -> toString(number, a.number(0, 10));
      default -> throw new IllegalStateException(name);
    };
  }

  private static String toFixed(double number, double digits) {
    if (!(digits >= 0 && digits <= 100)) {
      throw Thrown.input("`toFixed` takes 0 to 100 digits; it got " + NumberText.of(digits));
    }
    if (!Double.isFinite(number) || Math.abs(number) >= LARGEST_PLAIN) {
      return NumberText.of(number);
    }
    String text =
        new BigDecimal(number).setScale((int) digits, RoundingMode.HALF_UP).toPlainString();
    boolean negativeZero = number < 0 && !text.startsWith("-");
    return negativeZero ? "-" + text : text;
  }

  private static String toString(double number, double radix) {
    boolean whole = number == Math.rint(number) && Math.abs(number) < 1L << 53;
    if (radix == 10 || !whole) {
      return NumberText.of(number);
    }
    if (!(radix >= 2 && radix <= 36)) {
      throw Thrown.input("`toString` takes a base from 2 to 36; it got " + NumberText.of(radix));
    }
    return Long.toString((long) number, (int) radix);
  }
}
