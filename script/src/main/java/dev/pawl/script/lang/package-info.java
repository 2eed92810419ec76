/**
 * The script language: a subset of JavaScript that can stop at any await, be written down, and go
 * on elsewhere.
 *
 * <p>Reading order: {@link dev.pawl.script.lang.Script} (a text, checked and compiled), {@link
 * dev.pawl.script.lang.Machine} (the front door: runs a script), {@link dev.pawl.script.lang.Step}
 * and {@link dev.pawl.script.lang.Operation} (what it asks of its host), {@link
 * dev.pawl.script.lang.Limits}, {@link dev.pawl.script.lang.Snapshot}. Behind the door: {@code
 * Resolver} and {@code Compiler} (tree to code), {@code Interpreter} (code to effects), {@code
 * Library} and the methods of each kind of value, {@code SnapshotWriter} and {@code
 * SnapshotReader}. Sees nothing of Pawl but its syntax.
 */
@NullMarked
package dev.pawl.script.lang;

import org.jspecify.annotations.NullMarked;
