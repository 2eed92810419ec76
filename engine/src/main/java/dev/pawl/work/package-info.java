/**
 * The worker: claims runs, renews their leases, carries out their turns and commits how they end.
 *
 * <p>Reading order: {@link dev.pawl.work.RunType} and {@link dev.pawl.work.Task} (what there is to
 * do), {@link dev.pawl.work.Retry} (what happens when it fails), {@link dev.pawl.work.Program}
 * (what a kind of program does with a turn), {@link dev.pawl.work.Turn} (the program's hold on its
 * run), {@link dev.pawl.work.Worker} (claim, turn, advance) with {@code Lookout} (when it looks for
 * work), {@code Places} and {@code Ahead} (what it has room for), {@code Starts} (runs that are
 * leased as they are started), {@code Breath} (turns that begin with their claim), {@code
 * Conclusions} (how turns end) and {@code Heartbeat} (leases renewed), {@link
 * dev.pawl.work.TurnObserver} (who is told of it).
 *
 * <p>Sees {@code commit}, {@code store}, {@code log}, {@code json}, {@code time} and {@code error}.
 * Knows no kind of program but the task.
 */
@NullMarked
package dev.pawl.work;

import org.jspecify.annotations.NullMarked;
