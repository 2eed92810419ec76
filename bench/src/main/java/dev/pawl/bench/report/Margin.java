package dev.pawl.bench.report;

import java.util.Optional;

/**
 * One aim and what became of it.
 *
 * @param measured what was measured, in words; empty if it could not be
 * @param met whether the aim is reached; empty if it could not be measured
 */
public record Margin(
    String work, String against, String asked, Optional<String> measured, Optional<Boolean> met) {

  static Margin unknown(String work, String against, String asked) {
    return new Margin(work, against, asked, Optional.empty(), Optional.empty());
  }

  static Margin of(String work, String against, String asked, String measured, boolean met) {
    return new Margin(work, against, asked, Optional.of(measured), Optional.of(met));
  }

  String verdict() {
    return met.map(yes -> yes ? "yes" : "NO").orElse("not measured");
  }
}
