package dev.pawl.work;

import dev.pawl.commit.GroupCommit;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.time.Ticker;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The starts of runs in the worker's own process: what it has room for is leased to it as it is
 * recorded, which saves the claim. Nothing is, while something waits in the store. Thread-safe.
 */
final class Starts {
  private final Worker worker;
  private final Places places;
  private final Ahead ahead;
  private final GroupCommit commits;
  private final Ticker ticker;

  /** Room that was taken for a run: a slot, or a place among those who wait for one. */
  private record Room(boolean slot, int chars) {}

  Starts(Worker worker, Places places, GroupCommit commits, Ticker ticker) {
    this.worker = worker;
    this.places = places;
    this.ahead = places.ahead();
    this.commits = commits;
    this.ticker = ticker;
  }

  /**
   * Hands in a start; waits only while the queue is full. If it is leased here then the worker
   * holds the run before the future completes. Whatever becomes of it, no room is lost.
   */
  CompletableFuture<Outcome> submit(NewRun run) {
    boolean soon = run.delay().isZero() && run.at().isEmpty() && !ahead.isStoreFirst();
    Optional<Command.Claimant> claimant = soon ? worker.claimant(run.type()) : Optional.empty();
    Optional<Room> room = claimant.flatMap(by -> room(run));
    return room.isEmpty()
        ? commits.submit(new Command.Start(run))
        : submit(new Command.Start(run, claimant), room.get());
  }

  /**
   * A slot is only taken for a run that may not wait for one. Taken by starts that are being
   * committed, all slots would be idle while those who are there already wait.
   */
  private Optional<Room> room(NewRun run) {
    int chars = run.payload().text().length();
    // One attempt is not to be lost with this process before it has begun.
    if (run.maxAttempts() > 1 && ahead.take(chars)) {
      return Optional.of(new Room(false, chars));
    }
    return places.take() ? Optional.of(new Room(true, chars)) : Optional.empty();
  }

  private CompletableFuture<Outcome> submit(Command.Start start, Room room) {
    long asked = ticker.nanos();
    CompletableFuture<Outcome> outcome;
    try {
      outcome = commits.submit(start);
    } catch (RuntimeException | Error e) {
      giveUp(room);
      throw e;
    }
    return outcome.whenComplete((came, problem) -> take(came, room, asked));
  }

  private void giveUp(Room room) {
    if (room.slot()) {
      places.giveBack(1);
    } else {
      ahead.giveUp(room.chars());
    }
  }

  /** Called by whoever commits, so it does not wait for anything. */
  private void take(@Nullable Outcome outcome, Room room, long askedNanos) {
    Optional<Activation> leased =
        outcome instanceof Outcome.Started started ? started.activation() : Optional.empty();
    if (leased.isEmpty()) {
      giveUp(room);
      return;
    }
    Turn turn = worker.hold(leased.get(), askedNanos);
    if (room.slot()) {
      worker.begin(turn);
    } else if (ahead.enter(new Leased(turn, room), room.chars())) {
      Thread.ofVirtual().name("pawl-ahead").start(this::watch);
    }
  }

  /** A run that may have to wait for a slot. */
  private final class Leased implements Ahead.Guest {
    private final Turn turn;
    private final Room room;

    Leased(Turn turn, Room room) {
      this.turn = turn;
      this.room = room;
    }

    @Override
    public void begin() {
      worker.begin(turn);
    }

    @Override
    public void giveBack() {
      worker.giveBack(turn, () -> giveUp(room));
    }
  }

  private void watch() {
    OptionalLong next = ahead.watch();
    while (next.isPresent() && worker.rest(next.getAsLong())) {
      next = ahead.watch();
    }
  }
}
