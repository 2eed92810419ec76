package dev.pawl.bench.report;

import dev.pawl.bench.works.Measured;

/**
 * One round.
 *
 * @param strangers the part of the processors' time that others used meanwhile, 0 to 1
 */
public record Sample(Measured measured, double strangers) {}
