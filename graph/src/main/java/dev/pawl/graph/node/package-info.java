/**
 * What a type of node is: for whoever writes one, and for whoever carries it out.
 *
 * <p>Reading order: {@link dev.pawl.graph.node.NodeType} (made by its factory methods), {@link
 * dev.pawl.graph.node.NodeCode} (what it does), {@link dev.pawl.graph.node.NodeContext} (what it
 * can ask for), {@link dev.pawl.graph.node.Shape} with {@link dev.pawl.graph.node.Handle} and
 * {@link dev.pawl.graph.node.HandleType}, {@link dev.pawl.graph.node.Value} (a message), {@link
 * dev.pawl.graph.node.NodeTypes} (the types that are known). Sees {@code graph.definition} and the
 * engine's values.
 */
@NullMarked
package dev.pawl.graph.node;

import org.jspecify.annotations.NullMarked;
