/**
 * What every command has: the options that stand before or behind any of them, the store they name,
 * and how errors are told and end the process.
 *
 * <p>Reading order: {@link dev.pawl.cli.session.GlobalOptions}, {@link
 * dev.pawl.cli.session.Session}, {@link dev.pawl.cli.session.RunAddress}, {@link
 * dev.pawl.cli.session.ExitCode}.
 */
@NullMarked
package dev.pawl.cli.session;

import org.jspecify.annotations.NullMarked;
