package dev.pawl.flow;

/**
 * What the body of a step may know.
 *
 * @param idempotencyKey the same for every attempt at this step of this run: hand it to whoever
 *     should do a thing only once
 * @param attempt the number of this attempt, from 1
 */
public record StepContext(String idempotencyKey, int attempt) {}
