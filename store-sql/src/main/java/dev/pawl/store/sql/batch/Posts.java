package dev.pawl.store.sql.batch;

import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Messages from anybody: signals to runs, events to topics. */
final class Posts {
  private final Moves moves;
  private final Runs runs;
  private final Messages messages;
  private final Instant now;

  Posts(Moves moves) {
    this.moves = moves;
    this.runs = moves.runs;
    this.messages = moves.messages;
    this.now = moves.now;
  }

  Outcome send(Command.Send command) throws SQLException {
    @Nullable Known known = runs.find(command.run());
    if (known == null) {
      return new Outcome.Missing(command.run());
    }
    Run run = runs.row(known);
    if (run.status().isTerminal()) {
      return ended(run);
    }
    if (run.wakes() == 0 || !messages.knowsSignal(known, command.message())) {
      moves.deliver(
          known,
          new Mail.Signal(
              messages.nextId(known), now, command.message(), command.name(), command.value()),
          false);
    }
    return new Outcome.Sent();
  }

  static Outcome ended(Run run) {
    return new Outcome.Refused(run, "it has ended (" + run.status().word() + ")");
  }

  Outcome emit(Command.Emit command) throws SQLException {
    Optional<Mail.Topic> earlier = messages.emitted(command.message());
    if (earlier.isPresent()) {
      return new Outcome.Emitted(earlier.get().id(), 0);
    }
    long position = messages.emit(command, now);
    int woken = 0;
    for (RunId id : messages.awaiting(command.topic())) {
      Known known = runs.get(id);
      if (runs.row(known).isWaiting()) {
        Run after = moves.woken(runs.row(known), false);
        moves.save(known, after);
        woken += after.wakeAfter() == 0 ? 1 : 0;
      }
    }
    return new Outcome.Emitted(position, woken);
  }
}
