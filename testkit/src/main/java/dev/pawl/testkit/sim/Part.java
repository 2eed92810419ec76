package dev.pawl.testkit.sim;

/**
 * What the run of a plan is given.
 *
 * @param plan the number of its plan
 * @param parent the run to tell, and the name of the signal, with a space between; or nothing
 */
public record Part(int plan, String parent) {}
