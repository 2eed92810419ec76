package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Hint;
import dev.pawl.time.Ids;
import dev.pawl.time.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Word to and from other processes, by NOTIFY and LISTEN. What was committed is told afterwards, in
 * a transaction of its own that waits for nothing: on the heels of the commit where little happens,
 * else together with what gathers meanwhile. Nothing is told while nobody else is there to hear it.
 * All of it may get lost. Thread-safe.
 */
final class Notices implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notices.class);

  /**
   * Where little happens others hear of it at once; in the long run they are told so often, and
   * what gathers meanwhile goes together.
   */
  private static final long EVERY_MILLIS = 5;

  private static final int AT_ONCE = 4;

  /** The longest that NOTIFY takes is 8,000 bytes. */
  private static final int MAX_CHARS = 1_900;

  private static final int LISTEN_MILLIS = 500;
  private static final Duration TROUBLE = Duration.ofSeconds(1);

  private final Database database;
  private final BiConsumer<Hint, Optional<RunId>> listeners;
  private final String self = Ids.next().toString();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Hint> waiting = new LinkedHashSet<>();
  private final Pace pace = new Pace(Ticker.system(), Duration.ofMillis(EVERY_MILLIS), AT_ONCE);
  private final Company company = new Company(Ticker.system());
  private @Nullable Thread sender;
  private @Nullable Thread listener;
  private volatile @Nullable Connection ear;
  private volatile boolean closed;

  /**
   * @param listeners are given what others tell, and which run it is about, if that is all they say
   */
  Notices(Database database, BiConsumer<Hint, Optional<RunId>> listeners) {
    this.database = database;
    this.listeners = listeners;
  }

  /**
   * What a transaction has to tell the others right behind its commit, if it is time for that; else
   * it is for {@link #send} when it has committed.
   */
  Optional<String> onTheHeels(Set<Hint> hints) {
    return hints.isEmpty() || !isTime()
        ? Optional.empty()
        : Optional.of(Notice.text(self, hints, MAX_CHARS));
  }

  /** ... what it tells before the type of a run that is due, if only the database knows it. */
  Optional<String> onTheHeelsOf(RunId due) {
    return isTime() ? Optional.of(Notice.due(self, due)) : Optional.empty();
  }

  private boolean isTime() {
    lock.lock();
    try {
      if (isVain() || !waiting.isEmpty() || !pace.left().isZero()) {
        return false;
      }
      pace.done();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is nobody to tell anything to. */
  private boolean isVain() {
    return closed || company.isAlone();
  }

  /** Tells the others, some time soon. */
  void send(Set<Hint> hints) {
    if (hints.isEmpty() || isVain()) {
      return;
    }
    lock.lock();
    try {
      waiting.addAll(hints);
      if (sender == null) {
        sender = Thread.ofPlatform().name("pawl-postgres-notify").daemon().start(this::sendAll);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Hears what others tell, from now on. */
  void listen() {
    lock.lock();
    try {
      if (listener == null && !closed) {
        listener = Thread.ofPlatform().name("pawl-postgres-listen").daemon().start(this::listenAll);
      }
    } finally {
      lock.unlock();
    }
  }

  private void sendAll() {
    while (!closed) {
      try {
        Set<Hint> batch = take();
        if (!batch.isEmpty()) {
          notify(Notice.text(self, batch, MAX_CHARS));
        }
      } catch (SQLException e) {
        LOG.debug("the others could not be told: {}", e.getMessage());
        pause(TROUBLE);
      }
    }
  }

  /** Waits until there is something to tell and it is time to. */
  private Set<Hint> take() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      pause(pace.left());
      pace.done();
      Set<Hint> batch = new LinkedHashSet<>(waiting);
      waiting.clear();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void notify(String text) throws SQLException {
    try (Connection connection = database.reader()) {
      new Session(connection).first("notify", to -> to.text(text), cells -> text);
    }
  }

  private void listenAll() {
    while (!closed) {
      try (Connection connection = database.listener()) {
        ear = connection;
        new Session(connection).write("listen", none -> {});
        company.arrive();
        notify(self + "\n" + Notice.HELLO);
        // Whatever was told before is not heard any more.
        listeners.accept(new Hint.Elsewhere(), Optional.empty());
        hear(connection.unwrap(PGConnection.class));
      } catch (SQLException e) {
        if (!closed) {
          LOG.debug("listening to others failed; it goes on: {}", e.getMessage());
          pause(TROUBLE);
        }
      }
    }
  }

  private void hear(PGConnection connection) throws SQLException {
    while (!closed) {
      PGNotification @Nullable [] heard = connection.getNotifications(LISTEN_MILLIS);
      for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
        Notice notice = Notice.parse(notification.getParameter());
        if (!notice.sender().equals(self)) {
          company.hear(notice);
          Optional<RunId> due = notice.due();
          notice.hints().forEach(hint -> listeners.accept(hint, due));
        }
      }
      if (company.isTimeToShow()) {
        company.show();
        notify(self + "\n" + Notice.PRESENT);
      }
    }
  }

  private void pause(Duration length) {
    lock.lock();
    try {
      long left = length.toNanos();
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody has a reason to interrupt this thread; the loop looks again.
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    stopHearing();
    join(sender);
    join(listener);
  }

  /** Ends a wait for notifications at once; one that begins only now ends by itself. */
  private void stopHearing() {
    @Nullable Connection open = ear;
    try {
      if (open != null) {
        open.abort(Runnable::run);
      }
    } catch (SQLException e) {
      LOG.debug("the connection that listens could not be closed: {}", e.getMessage());
    }
  }

  private static void join(@Nullable Thread thread) {
    boolean interrupted = false;
    while (thread != null && thread.isAlive()) {
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
