package dev.pawl.cli.logging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Gives SLF4J loggers that write to standard error. {@code PAWL_LOG=debug} makes them say more. */
public final class StderrLogging implements SLF4JServiceProvider {
  private static final String API = "2.0.99";

  private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
  private final Level least = level(System.getenv().getOrDefault("PAWL_LOG", "warn"));
  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter contexts = new NOPMDCAdapter();

  private static Level level(String word) {
    for (Level level : Level.values()) {
      if (level.name().equalsIgnoreCase(word)) {
        return level;
      }
    }
    return Level.WARN;
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return name -> loggers.computeIfAbsent(name, key -> new StderrLogger(key, least));
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return contexts;
  }

  @Override
  public String getRequestedApiVersion() {
    return API;
  }

  @Override
  public void initialize() {
    // Everything is ready when the object is made.
  }
}
