/**
 * Deterministic simulation: the real engine, in several processes over one store, with every
 * thread, clock, hint, fault and crash decided by a seed.
 *
 * <p>Reading order: {@link dev.pawl.testkit.sim.Simulation} (many seeds, and the command), {@code
 * Episode} (one seed from beginning to end), {@code Universe} (time, and who moves next), {@code
 * Host} (a process: what the engine takes from its machine), {@code Wire} (a process's way to the
 * store, with its faults), {@code Witness} (sees every commit and holds it to the invariants),
 * {@code Plan} (what a run does, and what must come of it), {@code Player} (a flow that does it),
 * {@code Notation} (another language that plans can be written in), {@code Client} (who starts,
 * signals, cancels and rewinds), {@code Deed} (what has to succeed at least once).
 *
 * <p>Sees the engine through its doors, and the memory store.
 */
@NullMarked
package dev.pawl.testkit.sim;

import org.jspecify.annotations.NullMarked;
