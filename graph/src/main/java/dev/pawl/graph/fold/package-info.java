/**
 * What a graph's log adds up to.
 *
 * <p>Reading order: {@link dev.pawl.graph.fold.Projection} (the fold), {@link
 * dev.pawl.graph.fold.NodeState}, {@link dev.pawl.graph.fold.TriggerState}, {@link
 * dev.pawl.graph.fold.Recording} (what a handle has put out, as it is kept and recorded), {@link
 * dev.pawl.graph.fold.OutputsJson}, {@link dev.pawl.graph.fold.Shelf} (where large things are),
 * {@link dev.pawl.graph.fold.NodeSummary} (what people are told of a node). Sees the definition,
 * the engine's log, blobs and JSON, nothing of the actors.
 */
@NullMarked
package dev.pawl.graph.fold;

import org.jspecify.annotations.NullMarked;
