/**
 * Graphs of nodes that run as actors, with streams between them, and survive their process.
 *
 * <p>This is the door: {@link dev.pawl.graph.GraphType} makes a graph a type of run, {@link
 * dev.pawl.graph.Nodes} has the types of nodes that come along. Behind it, in reading order: {@code
 * definition}, {@code node}, {@code check}, {@code fold}, {@code run}, {@code kind}, {@code cron},
 * {@code picture}.
 */
@NullMarked
package dev.pawl.graph;

import org.jspecify.annotations.NullMarked;
