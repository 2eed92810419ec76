/**
 * What Pawl asks of a store.
 *
 * <p>Reading order: {@link dev.pawl.store.Store}, {@link dev.pawl.store.Command} (every durable
 * change there is), {@link dev.pawl.store.Outcome} (what came of it), {@link
 * dev.pawl.store.NewRun}, {@link dev.pawl.store.Activation}, {@link dev.pawl.store.Decide} (the
 * decisions that every store must take alike, taken once).
 *
 * <p>Sees {@code log}, {@code blob}, {@code json} and {@code error}. Stores live in packages of
 * their own and see this one.
 */
@NullMarked
package dev.pawl.store;

import org.jspecify.annotations.NullMarked;
