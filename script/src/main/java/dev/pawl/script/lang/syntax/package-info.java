/**
 * From the text of a script to its tree, or to everything that is wrong with it.
 *
 * <p>Reading order: {@link dev.pawl.script.lang.syntax.Source} (text, lines, places), {@link
 * dev.pawl.script.lang.syntax.Scanner} (tokens), {@link dev.pawl.script.lang.syntax.Node} (the
 * tree), {@link dev.pawl.script.lang.syntax.Parser} (the front door: statements; expressions and
 * patterns in classes of their own), {@link dev.pawl.script.lang.syntax.Refusals} (what to use
 * instead of what the language does not have). Sees nothing of Pawl.
 */
@NullMarked
package dev.pawl.script.lang.syntax;

import org.jspecify.annotations.NullMarked;
