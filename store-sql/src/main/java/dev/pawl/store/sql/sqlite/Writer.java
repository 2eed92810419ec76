package dev.pawl.store.sql.sqlite;

import dev.pawl.error.PawlException;
import dev.pawl.store.Command;
import dev.pawl.store.Hint;
import dev.pawl.store.Outcome;
import dev.pawl.store.sql.batch.Batch;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one who writes: a connection, what is remembered of the file, and the way of a transaction
 * from BEGIN to COMMIT. Everything here runs on the writer's own thread.
 *
 * <p>Other processes may write to the file between any two transactions of ours, never during one.
 * Whether they did is asked at the start of each; if so, nothing that was remembered counts.
 */
final class Writer {
  private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

  private final Path file;
  private final SqliteOptions options;
  private final Supplier<Instant> clock;
  private final Consumer<Hint> listeners;
  private final Checkpoints checkpoints;
  private final Cache cache = new Cache();
  private @Nullable Session session;
  private long seenVersion;

  Writer(
      Path file,
      SqliteOptions options,
      Supplier<Instant> clock,
      Consumer<Hint> listeners,
      Checkpoints checkpoints) {
    this.file = file;
    this.options = options;
    this.clock = clock;
    this.listeners = listeners;
    this.checkpoints = checkpoints;
  }

  List<Outcome> commit(List<Command> commands) {
    Session open = begin();
    long writes = open.writes();
    List<Outcome> outcomes = new ArrayList<>(commands.size());
    Set<Hint> hints;
    try {
      noticeOthers(open);
      Instant now = clock.get();
      Batch batch = new Batch(new SqliteTables(open, cache, now), now);
      for (Command command : commands) {
        outcomes.add(batch.apply(command));
      }
      hints = batch.hints();
    } catch (SQLException e) {
      abandon(open);
      throw Diagnosis.of(e, file);
    } catch (RuntimeException | Error e) {
      abandon(open);
      throw e;
    }
    end(open);
    checkpoints.written(open.writes() - writes);
    cache.trim();
    hints.forEach(listeners);
    return outcomes;
  }

  /** Tells the listeners if another process has written since we last looked. */
  void lookForOthers() {
    try {
      noticeOthers(session());
    } catch (SQLException e) {
      LOG.debug("could not see whether others have written to {}", file, e);
      close();
    }
  }

  private Session begin() {
    try {
      Session open = session();
      open.sql("begin").perform();
      return open;
    } catch (SQLException e) {
      close();
      throw Diagnosis.of(e, file);
    }
  }

  private void end(Session open) {
    try {
      open.sql("commit").perform();
    } catch (SQLException e) {
      abandon(open);
      throw Diagnosis.ofCommit(e, file);
    }
  }

  private void noticeOthers(Session open) throws SQLException {
    long version = open.sql("data-version").number();
    if (version != seenVersion) {
      seenVersion = version;
      cache.drop();
      listeners.accept(new Hint.Elsewhere());
    }
  }

  private Session session() throws SQLException {
    @Nullable Session open = session;
    if (open == null) {
      open = Session.open(file, Session.Role.WRITER, options);
      session = open;
      seenVersion = open.sql("data-version").number();
      cache.drop();
    }
    return open;
  }

  /**
   * Undoes a transaction. The connection is not used again: what is left of it after an error is
   * anybody's guess.
   */
  private void abandon(Session open) {
    cache.drop();
    try {
      open.sql("rollback").perform();
    } catch (SQLException e) {
      LOG.debug("SQLite had rolled back by itself", e);
    }
    close();
  }

  void close() {
    @Nullable Session open = session;
    session = null;
    cache.drop();
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.warn("the store {} did not close cleanly: {}", file, e.getMessage());
      }
    }
  }

  /** Opens the connection, so that whatever is wrong with the file shows now. */
  void open() {
    try {
      session();
    } catch (SQLException e) {
      throw Diagnosis.of(e, file);
    }
  }

  static PawlException closed(Path file) {
    return PawlException.closed("the store " + file);
  }
}
