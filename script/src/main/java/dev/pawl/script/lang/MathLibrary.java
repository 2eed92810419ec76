package dev.pawl.script.lang;

import java.util.function.DoubleUnaryOperator;

/** {@code Math}. */
final class MathLibrary {
  private MathLibrary() {}

  static void register() {
    Library.constant("Math.PI", Math.PI);
    Library.constant("Math.E", Math.E);
    Library.constant("Math.LN2", Math.log(2));
    Library.constant("Math.LN10", Math.log(10));
    Library.constant("Math.SQRT2", Math.sqrt(2));
    one("abs", Math::abs);
    one("ceil", Math::ceil);
    one("floor", Math::floor);
    one("round", MathLibrary::round);
    one("trunc", x -> x < 0 ? Math.ceil(x) : Math.floor(x));
    one("sign", Math::signum);
    one("sqrt", Math::sqrt);
    one("cbrt", Math::cbrt);
    one("exp", Math::exp);
    one("log", Math::log);
    one("log2", x -> exactLog2(x));
    one("log10", Math::log10);
    one("sin", Math::sin);
    one("cos", Math::cos);
    one("tan", Math::tan);
    one("asin", Math::asin);
    one("acos", Math::acos);
    one("atan", Math::atan);
    Library.add("Math.atan2", (m, a) -> Math.atan2(a.number(0), a.number(1)));
    Library.add("Math.pow", (m, a) -> Values.power(a.number(0), a.number(1)));
    Library.add("Math.hypot", (m, a) -> hypot(a));
    Library.add("Math.min", (m, a) -> least(m, a));
    Library.add("Math.max", (m, a) -> most(m, a));
    Library.add("Math.random", (m, a) -> m.host.random());
  }

  private static void one(String name, DoubleUnaryOperator function) {
    Library.add("Math." + name, (m, a) -> function.applyAsDouble(a.number(0)));
  }

  /** Halves go up. */
  private static double round(double x) {
    double floor = Math.floor(x);
    return x - floor >= 0.5 ? floor + 1 : floor;
  }

  private static double exactLog2(double x) {
    int exponent = Math.getExponent(x);
    return (x > 0 && Math.scalb(1.0, exponent) == x) ? exponent : Math.log(x) / Math.log(2);
  }

  private static Object hypot(Arguments a) {
    double sum = 0;
    for (int i = 0; i < a.count; i++) {
      sum = Math.hypot(sum, a.number(i));
    }
    return sum;
  }

  private static Object least(Machine machine, Arguments a) {
    machine.charge(a.count >> 2);
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < a.count; i++) {
      least = Math.min(least, a.number(i));
    }
    return least;
  }

  private static Object most(Machine machine, Arguments a) {
    machine.charge(a.count >> 2);
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < a.count; i++) {
      most = Math.max(most, a.number(i));
    }
    return most;
  }
}
