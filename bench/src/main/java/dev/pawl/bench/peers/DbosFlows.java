package dev.pawl.bench.peers;

/** The workflows of {@link DbosPeer}; DBOS calls them through a proxy of this interface. */
public interface DbosFlows {
  int task(String payload);

  int steps(int count);

  int waiting();

  int sleeper(long dueMillis);

  int parent(int children);

  int blocked();
}
