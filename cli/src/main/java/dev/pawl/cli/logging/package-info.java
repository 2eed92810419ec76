/**
 * What libraries log, on standard error: warnings and errors, one line each.
 *
 * <p>SLF4J finds {@link dev.pawl.cli.logging.StderrLogging} by itself. A page of our own, because a
 * logging library took a tenth of the start of every command to be told so little.
 */
@NullMarked
package dev.pawl.cli.logging;

import org.jspecify.annotations.NullMarked;
