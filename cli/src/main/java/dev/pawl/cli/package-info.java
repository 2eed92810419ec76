/**
 * The {@code pawl} command: what a person types in a terminal.
 *
 * <p>{@link dev.pawl.cli.Main} is the door. Behind it: {@code command} (the commands), {@code
 * syntax} (their words), {@code session} (what they all have), {@code inspect} (what is known about
 * a run), {@code exec} (tasks as processes), {@code demo}, {@code json} and {@code terminal} (how
 * things are written), {@code exit} (how commands fail), {@code logging}.
 */
@NullMarked
package dev.pawl.cli;

import org.jspecify.annotations.NullMarked;
