package dev.pawl.cli.session;

import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that stand before or behind any command. */
public final class GlobalOptions {
  static final String DEFAULT_STORE = "sqlite:pawl.db";

  @Option(
      names = "--store",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = {
        "Where the runs live: sqlite:FILE. Default: $PAWL_STORE, else " + DEFAULT_STORE + "."
      })
  private Optional<String> store = Optional.empty();

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "For programs: one JSON object per line; moments are ISO-8601 in UTC.")
  boolean json;

  @Option(
      names = "--no-color",
      scope = ScopeType.INHERIT,
      description = "No colours. Also by NO_COLOR, and where output is not a screen.")
  boolean noColor;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show stack traces of errors. Also by PAWL_DEBUG=1.")
  boolean debug;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Explain the command.")
  boolean help;

  String store(java.util.Map<String, String> env) {
    return store.orElseGet(() -> {
      String named = env.getOrDefault("PAWL_STORE", "");
      return named.isBlank() ? DEFAULT_STORE : named;
    });
  }
}
