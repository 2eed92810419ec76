package dev.pawl.log;

import java.time.Instant;

/**
 * One line of a run's log: an event at its place, with the moment of the store's clock and the
 * epoch it was written under.
 */
public record Entry(long seq, Instant at, long epoch, Event event) {}
