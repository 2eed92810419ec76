package dev.pawl.store.sql.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks, many times a second and at next to no cost, whether somebody has committed. Its connection
 * cannot tell our own commits from those of others; the writer's can, so the writer is asked when
 * there is something to ask. It works only while somebody listens.
 */
final class Watcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);

  /** How long it waits between looks while others write, and when they have not for a while. */
  private static final long BUSY_NANOS = 25_000_000;

  private static final long IDLE_NANOS = 100_000_000;
  private static final int LOOKS_UNTIL_IDLE = 80;

  private final Path file;
  private final SqliteOptions options;
  private final Runnable changed;
  private final Thread thread;
  private volatile int listeners;
  private volatile boolean closed;

  Watcher(Path file, SqliteOptions options, Runnable changed) {
    this.file = file;
    this.options = options;
    this.changed = changed;
    this.thread = new Thread(this::watch, "pawl-sqlite-watcher");
    this.thread.setDaemon(true);
  }

  /** Sets how many listen. */
  synchronized void listeners(int count) {
    listeners = count;
    if (count > 0 && !closed) {
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      }
      LockSupport.unpark(thread);
    }
  }

  private void watch() {
    @Nullable Session session = null;
    long seen = 0;
    int quiet = 0;
    while (!closed) {
      try {
        if (listeners == 0) {
          LockSupport.park(this);
          continue;
        }
        if (session == null) {
          session = Session.open(file, Session.Role.WATCHER, options);
          changed.run();
        }
        long version = session.sql("data-version").number();
        quiet = version == seen ? Math.min(quiet + 1, LOOKS_UNTIL_IDLE) : 0;
        if (version != seen) {
          seen = version;
          changed.run();
        }
      } catch (SQLException | RuntimeException e) {
        LOG.debug("the watch over {} failed; it goes on", file, e);
        close(session);
        session = null;
      }
      LockSupport.parkNanos(this, quiet < LOOKS_UNTIL_IDLE ? BUSY_NANOS : IDLE_NANOS);
    }
    close(session);
  }

  private static void close(@Nullable Session session) {
    try {
      if (session != null) {
        session.close();
      }
    } catch (SQLException e) {
      LOG.debug("the watching connection did not close cleanly", e);
    }
  }

  @Override
  public void close() {
    boolean started;
    synchronized (this) {
      closed = true;
      started = thread.getState() != Thread.State.NEW;
    }
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (started && thread.isAlive()) {
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
