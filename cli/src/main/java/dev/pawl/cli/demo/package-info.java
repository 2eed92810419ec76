/**
 * The demonstration: a shop whose worker is killed in the middle, and whose orders are all charged
 * and shipped once nevertheless.
 *
 * <p>Reading order: {@link dev.pawl.cli.demo.Demonstration}, {@link dev.pawl.cli.demo.Shop}, {@code
 * Ledger}, {@code Orders}, {@code Board}, {@code Verdict}.
 */
@NullMarked
package dev.pawl.cli.demo;

import org.jspecify.annotations.NullMarked;
