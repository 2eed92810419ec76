/**
 * The commands, one small class each: they read what was typed, ask the engine, and print.
 *
 * <p>{@link dev.pawl.cli.command.Commands} lists them; the rest is its own business.
 */
@NullMarked
package dev.pawl.cli.command;

import org.jspecify.annotations.NullMarked;
