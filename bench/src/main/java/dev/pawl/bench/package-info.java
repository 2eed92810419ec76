/**
 * Pawl and the engines one would pick instead, on the same work, the same database and the same
 * machine, in one run: {@code ./pawl bench --peers}.
 *
 * <p>Reading order: {@link dev.pawl.bench.Main}, {@code Options}, {@code Rounds} (who plays when),
 * {@code Play} (one round), {@code Limits} (what the machine could do), {@code Growth}; then the
 * rooms {@code works}, {@code peers}, {@code host}, {@code machine} and {@code report}. Nobody
 * depends on this module.
 */
@NullMarked
package dev.pawl.bench;

import org.jspecify.annotations.NullMarked;
