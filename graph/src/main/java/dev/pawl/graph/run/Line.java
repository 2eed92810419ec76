package dev.pawl.graph.run;

import dev.pawl.graph.node.Value;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * The way of one edge: first what the outlet has kept, then what comes. First-in, first-out, and
 * bounded: a sender that is ahead by more than the limit waits. Each message has its number, and a
 * number that was here before is dropped.
 */
final class Line {
  private final Inbox inbox;
  private final Outlet outlet;
  private final Condition room;

  // Guarded by the inbox's lock.
  private final ArrayDeque<Value> queue = new ArrayDeque<>();
  private int limit;
  private long received;
  private boolean senderWaits;
  private boolean ended;
  private boolean failed;

  // Of the receiving thread alone.
  private final ArrayDeque<Value> taken = new ArrayDeque<>();
  private @Nullable Value recalled;
  private Iterator<Value> kept = Collections.emptyIterator();
  private long position;
  private long keptUpTo;
  private boolean drained;

  Line(Inbox inbox, Outlet outlet, int limit) {
    this.inbox = inbox;
    this.outlet = outlet;
    this.limit = limit;
    this.room = inbox.lock.newCondition();
  }

  /** Begins with what the outlet has kept by now, before anybody sends. */
  void open() {
    received = outlet.count();
    keptUpTo = received;
  }

  // ---- the sender ----

  /** Puts in the message with this number; waits while there is no room. */
  void put(long number, Value value) {
    inbox.lock.lock();
    try {
      while (queue.size() >= limit && !inbox.isClosed() && !inbox.isStopped()) {
        senderWaits = true;
        inbox.activity.rest();
        while (senderWaits) {
          room.awaitUninterruptibly();
        }
      }
      inbox.checkRunning();
      if (number < received || inbox.isClosed()) {
        return;
      }
      received = number + 1;
      queue.add(value);
      inbox.changed();
    } finally {
      inbox.lock.unlock();
    }
  }

  void end(boolean inFailure) {
    inbox.lock.lock();
    try {
      ended = true;
      failed = inFailure;
      inbox.changed();
    } finally {
      inbox.lock.unlock();
    }
  }

  /** Lets a waiting sender go on. Asks for the lock to be held. */
  void release() {
    if (senderWaits) {
      senderWaits = false;
      inbox.activity.resume();
      room.signal();
    }
  }

  /** Forgets what waits here. Asks for the lock to be held. */
  void drop() {
    queue.clear();
    release();
  }

  /** Takes twice as much if the sender waits. Asks for the lock to be held. */
  boolean widen() {
    boolean wanted = senderWaits;
    if (wanted) {
      limit *= 2;
      release();
    }
    return wanted;
  }

  // ---- the receiver ----

  /**
   * Goes to the message with this number, back or forward. What was there before comes out of what
   * the outlet has kept.
   */
  void seek(long number) {
    inbox.lock.lock();
    try {
      long known = Math.max(position, keptUpTo);
      kept = number < known ? outlet.replay(number, known) : Collections.emptyIterator();
      keptUpTo = Math.max(number, known);
      received = Math.max(received, number);
      position = number;
      recalled = null;
      drained = false;
    } finally {
      inbox.lock.unlock();
    }
  }

  /** The next message if it is there, left where it is. */
  @Nullable Value peek() {
    if (recalled == null && kept.hasNext()) {
      recalled = kept.next();
    }
    if (recalled != null) {
      return recalled;
    }
    if (!taken.isEmpty()) {
      return taken.peek();
    }
    inbox.lock.lock();
    try {
      taken.addAll(queue);
      queue.clear();
      release();
      drained = taken.isEmpty() && ended;
    } finally {
      inbox.lock.unlock();
    }
    return taken.peek();
  }

  /** Takes out the message that was seen. */
  Value take() {
    position++;
    Value value = recalled == null ? taken.remove() : recalled;
    recalled = null;
    return value;
  }

  /** Whether the last look found that nothing is left and nothing will come. */
  boolean isDrained() {
    return drained;
  }

  /** Whether its end is that of a sender that failed. */
  boolean isFailed() {
    inbox.lock.lock();
    try {
      return failed;
    } finally {
      inbox.lock.unlock();
    }
  }

  /** How many messages were taken out. */
  long position() {
    return position;
  }
}
