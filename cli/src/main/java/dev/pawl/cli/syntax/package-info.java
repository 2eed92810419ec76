/**
 * The words of a command line: what a command takes, declared as values, and what was given.
 *
 * <p>Reading order: {@link dev.pawl.cli.syntax.Syntax}, {@link dev.pawl.cli.syntax.Arguments}.
 * Written by hand because the start of the process is what a command line is felt by: the usual
 * library cannot be kept in the JVM's start-up cache and doubled the time of every command.
 */
@NullMarked
package dev.pawl.cli.syntax;

import org.jspecify.annotations.NullMarked;
