/**
 * What a graph is, as a value and as JSON.
 *
 * <p>Reading order: {@link dev.pawl.graph.definition.Graph}, {@link
 * dev.pawl.graph.definition.Node}, {@link dev.pawl.graph.definition.Edge}, {@link
 * dev.pawl.graph.definition.GraphBuilder}, {@link dev.pawl.graph.definition.GraphJson}. Pure
 * values; sees {@code json}, {@code log} and {@code error} of the engine, and its retry policies.
 */
@NullMarked
package dev.pawl.graph.definition;

import org.jspecify.annotations.NullMarked;
