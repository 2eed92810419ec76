/**
 * The simulation with everything that a run can be written in. The same random plans are flows,
 * scripts and graphs here, which start each other, and the same model says what must come of them.
 *
 * <p>Reading order: {@link dev.pawl.verify.Main} ({@code ./pawl verify}), {@link
 * dev.pawl.verify.ScriptNotation} and {@link dev.pawl.verify.GraphNotation} (a plan as a script, as
 * a graph), {@code PlanNodes} (the nodes that graphs of plans are made of).
 *
 * <p>Sees the engine, {@code testkit.sim}, {@code script} and {@code graph}; nobody sees it.
 */
@NullMarked
package dev.pawl.verify;

import org.jspecify.annotations.NullMarked;
