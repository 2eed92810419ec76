package dev.pawl.store.sql.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries what is committed over from the write-ahead log into the file, on a thread of its own, so
 * that the writer need not stop for it. The log begins anew only at a moment when all of it has
 * been carried over, which the writer sees to when it has grown long: by then little is left to do.
 * It starts when there is something to do for the first time.
 */
final class Checkpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);

  /** After so many written rows it is worth the while. */
  private static final long ROWS = 20_000;

  private final Path file;
  private final SqliteOptions options;
  private final Thread thread = new Thread(this::work, "pawl-sqlite-checkpoint");
  private long written;
  private volatile boolean due;
  private volatile boolean closed;

  Checkpoints(Path file, SqliteOptions options) {
    this.file = file;
    this.options = options;
    thread.setDaemon(true);
  }

  /** Takes note of rows that were written. Only the writer calls it. */
  void written(long rows) {
    written += rows;
    if (written >= ROWS && !due && !closed) {
      written = 0;
      due = true;
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      }
      LockSupport.unpark(thread);
    }
  }

  private void work() {
    @Nullable Session session = null;
    while (!closed) {
      if (!due) {
        LockSupport.park(this);
        continue;
      }
      try {
        if (session == null) {
          session = Session.open(file, Session.Role.CHECKPOINTER, options);
        }
        session.sql("checkpoint").any();
      } catch (SQLException | RuntimeException e) {
        LOG.debug("a checkpoint of {} failed; the writer will see to it", file, e);
        close(session);
        session = null;
      }
      due = false;
    }
    close(session);
  }

  private static void close(@Nullable Session session) {
    try {
      if (session != null) {
        session.close();
      }
    } catch (SQLException e) {
      LOG.debug("the connection for checkpoints did not close cleanly", e);
    }
  }

  /** Called on the writer's thread: lets a checkpoint under way end. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    LockSupport.unpark(thread);
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
