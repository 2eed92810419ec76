package dev.pawl.script.lang.syntax;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as JavaScript writes them: {@code 1}, {@code 0.1}, {@code 1e+21}, {@code NaN}. */
public final class NumberText {
  private static final double LARGEST_PLAIN = 1e21;
  private static final double SMALLEST_PLAIN = 1e-6;

  private NumberText() {}

  /** Java writes two digits where one would do, for the smallest numbers of all. */
  private static BigDecimal oneDigit(BigDecimal exact, double number) {
    BigDecimal shorter = exact.round(new MathContext(1, RoundingMode.HALF_EVEN));
    boolean enough = exact.precision() == 2 && shorter.doubleValue() == number;
    return enough ? shorter.stripTrailingZeros() : exact;
  }

  public static String of(double number) {
    if (number == (int) number) {
      return Integer.toString((int) number);
    }
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "Infinity" : "-Infinity";
    }
    double size = Math.abs(number);
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    if (size >= SMALLEST_PLAIN && size < LARGEST_PLAIN) {
      return exact.toPlainString();
    }
    exact = oneDigit(exact, number);
    String digits = exact.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - exact.scale();
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    return (number < 0 ? "-" : "")
        + digits.charAt(0)
        + fraction
        + (exponent < 0 ? "e-" : "e+")
        + Math.abs(exponent);
  }
}
