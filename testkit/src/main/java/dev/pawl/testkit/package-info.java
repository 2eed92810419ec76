/**
 * Tools for testing what is built with Pawl, and Pawl itself.
 *
 * <p>Reading order: {@link dev.pawl.testkit.ManualClock} (time that stands still until it is told
 * to move), {@link dev.pawl.testkit.StoreFixture} (a store with short words for what tests do to
 * it), {@link dev.pawl.testkit.Turn} (one worker's hold on one run), {@link
 * dev.pawl.testkit.Invariants} (what must be true of every run at any time), {@link
 * dev.pawl.testkit.FaultyStore} (a store that fails on cue).
 *
 * <p>Sees the engine's {@code doctor}, {@code log}, {@code store}, {@code json}, {@code error} and
 * {@code time}, and no store but through {@link dev.pawl.store.Store}.
 */
@NullMarked
package dev.pawl.testkit;

import org.jspecify.annotations.NullMarked;
