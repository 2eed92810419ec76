package dev.pawl.doctor;

import dev.pawl.log.RunId;

/**
 * Something that must not be.
 *
 * @param invariant the name of what is violated: {@code S1} to {@code S10}, {@code T1} to {@code
 *     T3}, {@code P1} to {@code P3}, {@code G1} to {@code G7}
 * @param message what was expected and what was found, for people; it names the run
 */
public record Violation(String invariant, RunId run, String message) {
  @Override
  public String toString() {
    return invariant + ": " + message;
  }
}
