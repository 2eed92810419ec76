package dev.pawl.graph.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the lines to one node end. One thread takes out; each line has one thread that puts in. One
 * lock guards all of it.
 */
final class Inbox {
  final ReentrantLock lock = new ReentrantLock();
  final Activity activity;
  private final Condition arrival = lock.newCondition();
  private final List<Line> lines = new ArrayList<>();
  private boolean waiting;
  private boolean closed;
  private boolean stopped;
  private volatile long version;

  Inbox(Activity activity) {
    this.activity = activity;
  }

  Line line(Outlet from, int limit) {
    Line line = new Line(this, from, limit);
    lines.add(line);
    return line;
  }

  /** Grows with everything that happens here. */
  long version() {
    return version;
  }

  /** Tells whoever waits that something has happened. Asks for the lock to be held. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Written under the lock alone.
  void changed() {
    version++;
    if (waiting) {
      waiting = false;
      activity.resume();
      arrival.signal();
    }
  }

  /** Waits until something has happened since the version was seen. */
  void await(long seen) {
    lock.lock();
    try {
      if (version == seen && !stopped) {
        waiting = true;
        activity.rest();
        while (waiting) {
          arrival.awaitUninterruptibly();
        }
      }
      checkRunning();
    } finally {
      lock.unlock();
    }
  }

  void checkRunning() {
    if (stopped) {
      throw new Stopped();
    }
  }

  boolean isClosed() {
    return closed;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Whether the node waits here for something to arrive. */
  boolean isWaiting() {
    lock.lock();
    try {
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  /** The node has ended: what still comes is dropped, and nobody waits for room. */
  void close() {
    lock.lock();
    try {
      closed = true;
      lines.forEach(Line::drop);
    } finally {
      lock.unlock();
    }
  }

  /** Sends everybody home who waits here. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed();
      lines.forEach(Line::release);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes room in lines whose sender waits, if this node itself waits for another line: otherwise
   * both would wait for ever. Returns whether there was one.
   */
  boolean makeRoom() {
    lock.lock();
    try {
      boolean made = false;
      for (Line line : lines) {
        made |= waiting && line.widen();
      }
      return made;
    } finally {
      lock.unlock();
    }
  }
}
