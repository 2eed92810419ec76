/**
 * Tasks as processes: a command of the user's is started for each, gets the payload on its standard
 * input, and says with its output and exit code what came of it.
 *
 * <p>Reading order: {@link dev.pawl.cli.exec.ExecTask}, {@link dev.pawl.cli.exec.Processes}, {@code
 * Child}, {@code Guard}. Sees nothing of the command line.
 */
@NullMarked
package dev.pawl.cli.exec;

import org.jspecify.annotations.NullMarked;
