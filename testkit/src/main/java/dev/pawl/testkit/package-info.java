/**
 * Tools for testing what is built with Pawl, and Pawl itself.
 *
 * <p>Reading order: {@link dev.pawl.testkit.ManualClock} (time that stands still until it is told
 * to move), {@link dev.pawl.testkit.StoreFixture} (a store with short words for what tests do to
 * it), {@link dev.pawl.testkit.Turn} (one worker's hold on one run), {@link
 * dev.pawl.testkit.Invariants} (what must be true of every run at any time), {@link
 * dev.pawl.testkit.FaultyStore} (a store that fails on cue), {@link dev.pawl.testkit.MortalStore}
 * (a store as one of several processes sees it, until it dies), {@link dev.pawl.testkit.CrashSweep}
 * (a story played again and again, with a death at each checkpoint), {@link
 * dev.pawl.testkit.ForwardingStore} (a store to change a little), {@link dev.pawl.testkit.Await}
 * (what a test waits for).
 *
 * <p>Sees the engine's {@code doctor}, {@code log}, {@code store}, {@code json}, {@code error} and
 * {@code time}, and no store but through {@link dev.pawl.store.Store}; the crash sweep alone sees
 * the engine through its door.
 */
@NullMarked
package dev.pawl.testkit;

import org.jspecify.annotations.NullMarked;
