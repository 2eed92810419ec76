/**
 * Finds what is wrong with a graph, and wires one that is sound.
 *
 * <p>Reading order: {@link dev.pawl.graph.check.GraphCheck}, {@link dev.pawl.graph.check.Problem},
 * {@link dev.pawl.graph.check.Wiring}. Pure. Sees {@code graph.definition} and {@code graph.node}.
 */
@NullMarked
package dev.pawl.graph.check;

import org.jspecify.annotations.NullMarked;
