package dev.pawl;

import dev.pawl.commit.GroupCommit;
import dev.pawl.store.Command;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;

/** What is said of types as a whole: whether they may be claimed, and by whom. Thread-safe. */
final class Types {
  private final Store store;
  private final GroupCommit commits;

  Types(Store store, GroupCommit commits) {
    this.store = store;
    this.commits = commits;
  }

  void enable(String type, boolean enabled) {
    configure(known(type).withEnabled(enabled));
  }

  void assign(String type, String runtime) {
    TypeState known = known(type);
    configure(new TypeState(known.type(), known.enabled(), runtime, known.description()));
  }

  private TypeState known(String type) {
    return store.types().stream()
        .filter(state -> state.type().equals(type))
        .findFirst()
        .orElseGet(() -> TypeState.enabled(type));
  }

  private void configure(TypeState state) {
    commits.commit(new Command.Configure(state));
  }
}
