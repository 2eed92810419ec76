package dev.pawl.store.sql.batch;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The commands of one transaction, carried out at one moment. What they mean is written in {@code
 * Command}; how the memory store does it is the measure.
 *
 * <p>Each command decides before it writes, so that one which cannot be carried out leaves nothing
 * behind and only its own outcome is {@link Outcome.Broken}. An error after a first write spoils
 * the transaction.
 */
public final class Batch {
  private final Tables tables;
  private final Moves moves;
  private final Starts starts;
  private final Claims claims;
  private final Posts posts;
  private final Turns turns;
  private final Orders orders;

  public Batch(Tables tables, Instant now) {
    this.tables = tables;
    this.moves = new Moves(tables.runs(), tables.messages(), now);
    this.starts = new Starts(moves, tables.queue());
    this.claims = new Claims(moves, tables.queue());
    this.posts = new Posts(moves);
    this.turns = new Turns(tables, moves, starts, posts);
    this.orders = new Orders(tables, moves);
  }

  /** Whether it only adds to the log: then the run's row is neither read nor written. */
  public static boolean isCheckpoint(Command.Advance command) {
    return command.consumed().isEmpty()
        && command.children().isEmpty()
        && command.sends().isEmpty()
        && command.emits().isEmpty()
        && !concernsTheRow(command.events());
  }

  private static boolean concernsTheRow(List<Event> events) {
    for (Event event : events) {
      if (event instanceof Event.Lifecycle) {
        return true;
      }
    }
    return false;
  }

  /** What the listeners should hear of once this is committed. */
  public Set<Hint> hints() {
    return moves.hints();
  }

  public Outcome apply(Command command) throws SQLException {
    long writes = tables.writes();
    try {
      return carryOut(command);
    } catch (PawlException e) {
      if (tables.writes() == writes) {
        return new Outcome.Broken(e);
      }
      throw e;
    } catch (ArithmeticException | DateTimeException e) {
      PawlException problem =
          new PawlException(
              ErrorCode.BAD_INPUT,
              "a moment in the command is too far off to be stored: " + e.getMessage(),
              e);
      if (tables.writes() == writes) {
        return new Outcome.Broken(problem);
      }
      throw problem;
    }
  }

  private Outcome carryOut(Command command) throws SQLException {
    return switch (command) {
      case Command.Start start -> starts.start(start);
      case Command.Claim claim -> claim(claim);
      case Command.Advance advance -> turns.advance(advance);
      case Command.Transact transact -> turns.transact(transact);
      case Command.Extend extend -> claims.extend(extend);
      case Command.Send send -> posts.send(send);
      case Command.Emit emit -> posts.emit(emit);
      case Command.Cancel cancel -> orders.cancel(cancel);
      case Command.Rewind rewind -> orders.rewind(rewind);
      case Command.Deploy deploy -> orders.deploy(deploy);
      case Command.Configure configure -> orders.configure(configure);
      case Command.Delete delete -> orders.delete(delete);
      case Command.Purge purge -> orders.purge(purge);
    };
  }

  /** A claim, and what its claimant writes with it. */
  private Outcome claim(Command.Claim command) throws SQLException {
    Outcome.Claimed claimed = claims.claim(command);
    if (claimed.activations().isEmpty()) {
      return claimed;
    }
    Map<RunId, Outcome> came = new HashMap<>();
    for (Command.Advance advance : command.onward().goOn(claimed.activations())) {
      came.put(advance.run(), apply(advance));
    }
    return claimed.withOnward(came);
  }
}
