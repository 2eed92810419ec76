/**
 * Proves that a store is sound: that every row is the fold of its log, and that the design's named
 * invariants hold.
 *
 * <p>Reading order: {@link dev.pawl.doctor.Doctor} (the walk over the runs), {@link
 * dev.pawl.doctor.Watch} (a look after every change), {@link dev.pawl.doctor.Violation}, {@link
 * dev.pawl.doctor.Report}; then {@code LogScan} (what a log shows by itself: S3, S4, S5, T1 to T3,
 * P1 to P3), {@code RowCheck} (the row against log and mailbox: S1, S2, S5, S6, S9, S10) and {@code
 * Families} (parents against children: S8).
 *
 * <p>{@link dev.pawl.doctor.Repair} rebuilds rows from logs, for who asks. Everything else only
 * reads, through {@link dev.pawl.store.Store}, and may be let loose on a store that is at work.
 * Sees {@code store}, {@code log} and {@code error}; it knows no store in particular and nothing of
 * workers and programs.
 */
@NullMarked
package dev.pawl.doctor;

import org.jspecify.annotations.NullMarked;
