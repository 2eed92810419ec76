package dev.pawl.bench.peers;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells the version of the jar that a class comes from. */
final class Versions {
  private static final Pattern IN_NAME = Pattern.compile("-(\\d[\\w.-]*)\\.jar$");

  private Versions() {}

  static String of(Class<?> type) {
    return Optional.ofNullable(type.getProtectionDomain().getCodeSource())
        .map(source -> IN_NAME.matcher(source.getLocation().getPath()))
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .orElse("of unknown version");
  }
}
