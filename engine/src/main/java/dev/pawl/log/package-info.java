/**
 * What happened to a run, and what follows from it.
 *
 * <p>Reading order: {@link dev.pawl.log.RunId}, {@link dev.pawl.log.Event} (the whole vocabulary on
 * one page), {@link dev.pawl.log.Entry} (an event with its place in the log), {@link
 * dev.pawl.log.Run} (the fold of a log: what the run row says), {@link dev.pawl.log.Status} (the
 * states and the moves between them), {@link dev.pawl.log.Failure} (the one shape of an error),
 * {@link dev.pawl.log.EventCodec} (events as stored text).
 *
 * <p>Pure values: no clock, no I/O. Sees {@code json} and {@code error}, nothing else of Pawl.
 */
@NullMarked
package dev.pawl.log;

import org.jspecify.annotations.NullMarked;
