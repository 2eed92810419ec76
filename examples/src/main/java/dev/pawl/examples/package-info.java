/**
 * Small programs, each whole and each run by a test. The README and the guides quote them word for
 * word.
 *
 * <p>Reading order: {@link dev.pawl.examples.HelloTask}, {@link dev.pawl.examples.Checkout}, then
 * one subject each: {@link dev.pawl.examples.Approval}, {@link dev.pawl.examples.FanOut}, {@link
 * dev.pawl.examples.Ledger}, {@link dev.pawl.examples.Cancel}.
 *
 * <p>Sees what any program would see of Pawl. Most are {@code @NullUnmarked}, because most programs
 * are written without a checker for nulls.
 */
@NullMarked
package dev.pawl.examples;

import org.jspecify.annotations.NullMarked;
