package dev.pawl.work;

import dev.pawl.commit.GroupCommit;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import java.util.concurrent.CompletableFuture;

/** The way of a turn's writes to the store. Thread-safe. */
interface Writes {

  /** Hands a command in, behind those before it. */
  CompletableFuture<Outcome> submit(Command command);

  /** Comes when the lease is durable under which the turn writes: most have one that is. */
  CompletableFuture<Outcome> lease();

  /** The way of a turn whose lease is durable. */
  static Writes to(GroupCommit commits) {
    return new Writes() {
      @Override
      public CompletableFuture<Outcome> submit(Command command) {
        return commits.submit(command);
      }

      @Override
      public CompletableFuture<Outcome> lease() {
        return Breath.HELD;
      }
    };
  }
}
