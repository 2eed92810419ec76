package dev.pawl.store;

import dev.pawl.log.Names;

/** What is known of a type. One that is not enabled waits: it is not claimed, and does not fail. */
public record TypeState(String type, boolean enabled, String runtime, String description) {
  public static final String JAVA = "java";

  public TypeState {
    Names.checkType(type);
    Names.check("a runtime", runtime);
  }

  public static TypeState paused(String type) {
    return new TypeState(type, false, JAVA, "");
  }

  public static TypeState enabled(String type) {
    return new TypeState(type, true, JAVA, "");
  }
}
