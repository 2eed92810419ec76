/**
 * The types of nodes that come along.
 *
 * <p>Reading order: {@code Plain} (input, output, constant, template, collect, switch, merge,
 * delay), {@code Runs} (task, flow, script, graph: child runs), {@code Triggers}, {@code Http}.
 * Each is made of what {@code graph.node} offers to everybody.
 */
@NullMarked
package dev.pawl.graph.kind;

import org.jspecify.annotations.NullMarked;
