package dev.pawl.bench.peers;

/** Says that an engine has nothing that corresponds to a work, and why. */
public final class NotPossible extends RuntimeException {
  private NotPossible(String why) {
    super(why);
  }

  public static NotPossible because(String why) {
    return new NotPossible(why);
  }
}
