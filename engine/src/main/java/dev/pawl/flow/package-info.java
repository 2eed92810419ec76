/**
 * Flows: durable functions in plain Java.
 *
 * <p>Reading order: {@link dev.pawl.flow.Flow} (a definition), {@link dev.pawl.flow.FlowContext}
 * (what its code may do), {@link dev.pawl.flow.Promise}, then the runtime: {@code FlowProgram} (one
 * turn), {@code Execution} (the flow's thread between turns), {@code Bodies} (its steps), {@code
 * Interruptions} (cancellation and deadline), {@code Memory} (what the log remembers), {@code Op}
 * and {@code Combined} (what can be waited for). {@link dev.pawl.flow.StepBodies} lets a test stand
 * around the bodies of steps.
 *
 * <p>Sees {@code work} and what that sees. Knows no other kind of program.
 */
@NullMarked
package dev.pawl.flow;

import org.jspecify.annotations.NullMarked;
