/**
 * Carries out graphs: one actor for each node, and what they share.
 *
 * <p>Reading order: {@link dev.pawl.graph.run.GraphProgram} (a turn), {@code Execution} (begins it,
 * sees that the graph stands still, ends it), {@code Actor} (the life of a node), {@code Sync}
 * (makes batches), {@code Inbox} with its {@code Line}s, {@code Outlet} (what a handle has put
 * out), {@code Journal} (what goes into the log), {@code Activity} (who could go on), {@code
 * Parking} (who waits for something outside), {@code TriggerActor}, {@code RunShelf} (what is too
 * large for the log).
 */
@NullMarked
package dev.pawl.graph.run;

import org.jspecify.annotations.NullMarked;
