package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Violation;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What must be true of every run at any time, as the {@link Doctor} sees it. */
public final class Invariants {
  /**
   * What rests on the program that writes the log, not on the store: one result per step, children
   * on record, messages consumed on record. Tests of stores write logs as no program would.
   */
  private static final Set<String> OF_PROGRAMS = Set.of("S4", "S8", "S9");

  private Invariants() {}

  /** Holds every run to every invariant. */
  public static void check(Store store) {
    List<Violation> violations = new ArrayList<>();
    Doctor.check(store, violations::add);
    assertThat(violations).isEmpty();
  }

  /**
   * Holds one run to the invariants that a store answers for alone. A run that is not there (any
   * more) passes if it left no log and no mail.
   */
  public static void check(Store store, RunId id) {
    List<Violation> violations = new ArrayList<>();
    Doctor.check(store, id, violations::add);
    violations.removeIf(violation -> OF_PROGRAMS.contains(violation.invariant()));
    assertThat(violations).isEmpty();
  }
}
