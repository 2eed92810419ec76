/**
 * How a command ends when it cannot go on: one sentence for the person, one code for the shell. A
 * leaf.
 */
@NullMarked
package dev.pawl.cli.exit;

import org.jspecify.annotations.NullMarked;
