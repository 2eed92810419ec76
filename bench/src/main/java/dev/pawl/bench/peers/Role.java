package dev.pawl.bench.peers;

/** What a process does with the engine it opens. */
public enum Role {
  /** Starts runs and carries them out. */
  ALONE,
  /** Only carries runs out. */
  WORKER,
  /** Only starts runs, signals them and waits for their results. */
  CLIENT,
  /** As {@link #ALONE}, but stays in the second step of blocked runs until it is killed. */
  DOOMED;

  public boolean works() {
    return this != CLIENT;
  }
}
