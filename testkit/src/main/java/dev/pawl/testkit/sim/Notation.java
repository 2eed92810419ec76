package dev.pawl.testkit.sim;

import dev.pawl.work.DefinedProgram;

/**
 * A language other than Java that plans can be written down in, as definitions in the store. The
 * result of a run must be the same text whatever its plan is written in, or an object with that
 * text as its member {@code out}. Thread-safe.
 */
public interface Notation {
  /** The kind of its definitions. */
  String kind();

  /** Whether it has words for every act of the plan itself; its children may be in another. */
  boolean canWrite(Plan plan);

  /** The plan as the source of a definition. */
  String write(Plan plan, Cast cast);

  /** Carries out such definitions in one process. */
  DefinedProgram program(Site site);
}
