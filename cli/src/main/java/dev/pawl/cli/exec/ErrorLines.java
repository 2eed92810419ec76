package dev.pawl.cli.exec;

import dev.pawl.log.RunId;

/** Is given the lines that processes write to standard error, by many threads at once. */
public interface ErrorLines {
  void line(RunId run, String type, String text);
}
