package dev.pawl.cli.logging;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Writes what is at least so important to standard error. */
final class StderrLogger extends LegacyAbstractLogger {
  private static final long serialVersionUID = 1L;

  private final Level least;

  StderrLogger(String name, Level least) {
    this.name = name;
    this.least = least;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable error) {
    StringWriter text = new StringWriter();
    text.append("pawl: ").append(level.name().toLowerCase(Locale.ROOT)).append(": ");
    text.append(MessageFormatter.basicArrayFormat(pattern, arguments));
    if (error != null) {
      text.append(": ").append(error.toString());
      if (isDebugEnabled()) {
        error.printStackTrace(new PrintWriter(text, true));
      }
    }
    PrintStream out = System.err;
    out.println(text);
  }

  private boolean shows(Level level) {
    return level.toInt() >= least.toInt();
  }

  @Override
  public boolean isTraceEnabled() {
    return shows(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return shows(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return shows(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return shows(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return shows(Level.ERROR);
  }

  @Override
  protected String getFullyQualifiedCallerName() {
    return StderrLogger.class.getName();
  }
}
