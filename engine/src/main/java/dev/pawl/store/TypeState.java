package dev.pawl.store;

import dev.pawl.log.Names;

/**
 * What is known of a type. One that is not enabled waits: it is not claimed, and does not fail. One
 * that is registered for a runtime is claimed by workers of that runtime only.
 */
public record TypeState(String type, boolean enabled, String runtime, String description) {
  public static final String JAVA = "java";

  /** The runtime of a type that any worker may claim. */
  public static final String ANY = "any";

  public TypeState {
    Names.checkType(type);
    Names.check("a runtime", runtime);
  }

  public static TypeState paused(String type) {
    return new TypeState(type, false, ANY, "");
  }

  public static TypeState enabled(String type) {
    return new TypeState(type, true, ANY, "");
  }

  /** The same type, claimable or not. */
  public TypeState withEnabled(boolean open) {
    return new TypeState(type, open, runtime, description);
  }

  /** Whether a worker of this runtime may claim runs of the type. */
  public boolean admits(String claimants) {
    return enabled && (runtime.equals(ANY) || runtime.equals(claimants));
  }
}
