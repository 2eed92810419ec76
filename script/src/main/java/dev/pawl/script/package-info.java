/**
 * Scripts as programs of runs: deploying them, and carrying out their turns.
 *
 * <p>Reading order: {@link dev.pawl.script.Scripts} (the door), {@link
 * dev.pawl.script.ScriptProgram} (one turn: find the state, go on, end), {@link
 * dev.pawl.script.ScriptRun} (a run in memory: the machine, what it is fed and what it asks for),
 * {@link dev.pawl.script.Ledger} (what is known of its open operations), {@link
 * dev.pawl.script.Resumption} (the way back from the log).
 *
 * <p>Sees the engine and {@code script.lang}, which sees nothing of Pawl.
 */
@NullMarked
package dev.pawl.script;

import org.jspecify.annotations.NullMarked;
