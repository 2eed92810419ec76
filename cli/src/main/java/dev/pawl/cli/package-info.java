/** The {@code pawl} command: what a person types in a terminal. */
@NullMarked
package dev.pawl.cli;

import org.jspecify.annotations.NullMarked;
