package dev.pawl.doctor;

/** How much was looked at, and how many violations were found. */
public record Report(long runs, long events, long violations) {
  public boolean isHealthy() {
    return violations == 0;
  }
}
