package dev.pawl.script.lang.syntax;

import java.math.BigInteger;
import java.util.regex.Pattern;

/** How numbers are written: decimal, with exponent, hexadecimal, with {@code _} between digits. */
final class Numerals {
  private static final Pattern DECIMAL =
      Pattern.compile("(\\d+(_\\d+)*\\.?|(\\d+(_\\d+)*)?\\.\\d+(_\\d+)*)([eE][+-]?\\d+(_\\d+)*)?");
  private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]+(_[0-9a-fA-F]+)*");
  private static final Pattern BIG = Pattern.compile("\\d[\\d_]*n");
  private static final Pattern OTHER_BASE = Pattern.compile("0[bBoO]\\w*");
  private static final Pattern LEADING_ZERO = Pattern.compile("0[\\d_].*");

  private Numerals() {}

  static double value(String written, Span span, ErrorList errors) {
    if (BIG.matcher(written).matches()) {
      refuse(
          span,
          errors,
          "a big integer `"
              + written
              + "` is not in the language: leave the `n`"
              + " off, a number is exact up to 2^53");
    } else if (OTHER_BASE.matcher(written).matches()) {
      refuse(
          span,
          errors,
          "binary and octal numbers are not in the language: write `"
              + written
              + "` as a decimal or hexadecimal number, such as `0x1f`");
    } else if (HEX.matcher(written).matches()) {
      return new BigInteger(written.substring(2).replace("_", ""), 16).doubleValue();
    } else if (DECIMAL.matcher(written).matches() && !LEADING_ZERO.matcher(written).matches()) {
      return Double.parseDouble(written.replace("_", ""));
    } else {
      errors.add(
          ErrorList.SYNTAX_ERROR,
          span,
          "`"
              + written
              + "` is not a number: digits, maybe"
              + " with `.`, an exponent like `e-3` and `_` between digits, or `0x1f`");
    }
    return 0;
  }

  private static void refuse(Span span, ErrorList errors, String message) {
    errors.add(ErrorList.NOT_IN_LANGUAGE, span, message);
  }
}
