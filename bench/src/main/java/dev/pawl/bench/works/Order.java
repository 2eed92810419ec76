package dev.pawl.bench.works;

/**
 * How much of a work to carry out.
 *
 * @param runs how many runs, or the most there may be
 * @param seconds how long at most, where the work is timed
 * @param warmSeconds how long to run it beforehand, without measuring
 */
public record Order(Work work, int runs, int concurrency, double seconds, double warmSeconds) {}
