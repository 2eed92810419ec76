package dev.pawl.bench.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Words {
  private Words() {}

  static String number(double value) {
    return String.format(
        Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", value);
  }

  static String number(int value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  static String millis(double value) {
    return value == 0 ? "" : number(value) + " ms";
  }

  static String percent(double part) {
    return Math.round(part * 100) + " %";
  }

  /** How many times better Pawl is, so that what just fails does not look as if it did not. */
  static String times(double ratio) {
    return ratio >= 10
        ? String.format(Locale.ROOT, "%.0f ×", ratio)
        : String.format(Locale.ROOT, "%.2f", ratio).replaceFirst("\\.?0+$", "") + " ×";
  }
}
