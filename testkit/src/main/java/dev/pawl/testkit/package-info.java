/**
 * Tools for testing what is built with Pawl, and Pawl itself.
 *
 * <p>For users' own programs: {@link dev.pawl.testkit.PawlTest} (everything in memory, time that
 * passes when the test says so, stubs; {@link dev.pawl.testkit.RunLog} looks at logs), {@link
 * dev.pawl.testkit.CrashSweep#of} (a program killed at each of its commits in turn: {@link
 * dev.pawl.testkit.Sweep} prepares it, {@link dev.pawl.testkit.Effects} notes what fakes do to the
 * world, {@link dev.pawl.testkit.CrashReport} tells). Both stand on {@code Stage}, one process
 * after the other on one store with a time of its own.
 *
 * <p>For Pawl itself: {@link dev.pawl.testkit.ManualClock} (time that stands still until it is told
 * to move), {@link dev.pawl.testkit.StoreFixture} (a store with short words for what tests do to
 * it), {@link dev.pawl.testkit.Turn} (one worker's hold on one run), {@link
 * dev.pawl.testkit.Invariants} (what must be true of every run at any time), {@link
 * dev.pawl.testkit.FaultyStore} (a store that fails on cue), {@link dev.pawl.testkit.MortalStore}
 * (a store as one of several processes sees it, until it dies), {@link dev.pawl.testkit.CrashSweep}
 * (a story played again and again, with a death at each checkpoint), {@link
 * dev.pawl.testkit.ForwardingStore} (a store to change a little), {@link dev.pawl.testkit.Fuzz}
 * (broken texts), {@link dev.pawl.testkit.Await} (what a test waits for).
 *
 * <p>Sees the engine's {@code doctor}, {@code log}, {@code store}, {@code json}, {@code error} and
 * {@code time}, and no store but through {@link dev.pawl.store.Store} and the one in memory; what
 * is for users, and the crash sweep, see the engine through its door. Needs no test framework,
 * except {@code StoreFixture}, {@code Turn}, {@code Invariants} and the stories of the crash sweep.
 */
@NullMarked
package dev.pawl.testkit;

import org.jspecify.annotations.NullMarked;
