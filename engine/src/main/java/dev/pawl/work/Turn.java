package dev.pawl.work;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.time.Millis;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A program's hold on its run, from the claim to the end of the turn.
 *
 * <p>What a program records is kept here and gets its place in the log at once; {@link #flush}
 * makes it durable, and so does the end of the turn. A write that the store refuses because the
 * lease is lost ends the turn: nothing more is written, and {@link LeaseLost} tells the program.
 * Thread-safe.
 */
public final class Turn {
  private final Activation activation;
  private final Archive archive;
  private final Writes writes;
  private final Platform platform;
  private final Ticker ticker;
  private final long askedNanos;
  private final long heldNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition transactionEnded = lock.newCondition();
  private final Set<Thread> interruptible = new LinkedHashSet<>();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private Pending pending = new Pending();
  private long nextSeq;
  private @Nullable CompletableFuture<Outcome> inFlight;
  private boolean ended;
  private boolean lost;
  private boolean transacting;
  private @Nullable PawlException trouble;
  private Optional<Mail.Cancel> cancel = Optional.empty();
  private boolean cancelSeen;

  /** What was recorded and not yet handed to the store. Most turns record events alone. */
  private static final class Pending {
    final List<Event> events = new ArrayList<>(2);
    List<Long> consumed = List.of();
    List<NewRun> children = List.of();
    List<Command.Send> sends = List.of();
    List<Command.Emit> emits = List.of();

    static <T> List<T> and(List<T> before, T next) {
      List<T> all = before.isEmpty() ? new ArrayList<>(2) : before;
      all.add(next);
      return all;
    }
  }

  /** The lease is gone: somebody else has the run, or it has ended. */
  public static final class LeaseLost extends PawlException {
    private static final long serialVersionUID = 1L;

    LeaseLost(String message, @Nullable PawlException cause) {
      super(ErrorCode.FENCED, message, cause);
    }
  }

  /** Takes back a permission to interrupt. */
  public interface Interruptible extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * A turn that begins now.
   *
   * @param askedNanos when the claim was handed in: between then and now it took place
   */
  Turn(Activation activation, Archive archive, Writes writes, Platform platform, long askedNanos) {
    this.activation = activation;
    this.archive = archive;
    this.writes = writes;
    this.platform = platform;
    this.ticker = platform.ticker();
    this.askedNanos = askedNanos;
    this.heldNanos = ticker.nanos();
    this.nextSeq = activation.seq() + 1;
    activation.mail().stream()
        .filter(Mail.Cancel.class::isInstance)
        .map(Mail.Cancel.class::cast)
        .findFirst()
        .ifPresent(mail -> cancel = Optional.of(mail));
  }

  /** The run as it was claimed. */
  public Run run() {
    return activation.run();
  }

  public Activation activation() {
    return activation;
  }

  /**
   * The latest that the store's clock can show, in whole milliseconds: what is set by it is not
   * early.
   */
  public Instant now() {
    return Millis.up(ticker.now(activation.now(), askedNanos));
  }

  /** Whether the store's clock has surely reached a moment. */
  public boolean isReached(Instant moment) {
    return !until(moment).isPositive();
  }

  /** How long it takes at most until the store's clock has reached a moment. */
  public Duration until(Instant moment) {
    return Duration.between(ticker.now(activation.now(), heldNanos), moment);
  }

  /** What the worker runs on. */
  public Platform platform() {
    return platform;
  }

  /** What the program can look up, and the blobs it can keep. */
  public Archive archive() {
    return archive;
  }

  // ---- recording ----

  /** Records an event; returns its place in the log. */
  public long record(Event event) {
    return recording(pending -> pending.events.add(event));
  }

  /** Records an event that uses up a message. */
  public long record(Event event, Mail consumed) {
    return recording(pending -> {
      pending.events.add(event);
      if (!(consumed instanceof Mail.Topic)) {
        pending.consumed = Pending.and(pending.consumed, consumed.id());
      }
    });
  }

  /** Records the start of a child; both happen in the same commit. */
  public long record(Event.ChildStarted event, NewRun child) {
    return recording(pending -> {
      pending.events.add(event);
      pending.children = Pending.and(pending.children, child);
    });
  }

  /** Records an event that sends a signal in the same commit. */
  public long record(Event event, Command.Send send) {
    return recording(pending -> {
      pending.events.add(event);
      pending.sends = Pending.and(pending.sends, send);
    });
  }

  /** Records an event that emits to a topic in the same commit. */
  public long record(Event event, Command.Emit emit) {
    return recording(pending -> {
      pending.events.add(event);
      pending.emits = Pending.and(pending.emits, emit);
    });
  }

  private long recording(java.util.function.Consumer<Pending> add) {
    lock.lock();
    try {
      awaitTransaction();
      checkOpen();
      add.accept(pending);
      return nextSeq++;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until everything recorded so far is durable, and the lease itself. */
  public void flush() {
    CompletableFuture<Outcome> outcome;
    lock.lock();
    try {
      checkOpen();
      push();
      outcome = inFlight == null ? writes.lease() : inFlight;
    } finally {
      lock.unlock();
    }
    awaitWrite(outcome);
  }

  /** Hands everything recorded so far to the store without waiting for it. */
  public void push() {
    lock.lock();
    try {
      if (!ended && !lost && !pending.events.isEmpty()) {
        inFlight = submit();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes back what was recorded and not yet handed to the store, as if the process had died. */
  public void forget() {
    boolean unused =
        locked(() -> {
          nextSeq -= pending.events.size();
          pending = new Pending();
          return true;
        });
  }

  /** The place in the log that the next event will get. */
  public long nextSeq() {
    return locked(() -> nextSeq);
  }

  /**
   * Runs the body in a transaction of the store, which also appends the event it returns; {@link
   * Outcome.Threw} if it threw. Whether the next place in the log is taken shows only when it has
   * ended, so whoever records meanwhile waits.
   */
  public Outcome transact(Command.Transact.Body body) {
    flush();
    CompletableFuture<Outcome> outcome;
    lock.lock();
    try {
      checkOpen();
      push();
      transacting = true;
      outcome = writes.submit(new Command.Transact(run().id(), run().epoch(), nextSeq, body));
    } finally {
      lock.unlock();
    }
    boolean written = false;
    try {
      Outcome result = await(outcome);
      written = result instanceof Outcome.Transacted;
      return result;
    } finally {
      endTransaction(written);
    }
  }

  private void endTransaction(boolean written) {
    lock.lock();
    try {
      nextSeq += written ? 1 : 0;
      transacting = false;
      transactionEnded.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void awaitTransaction() {
    while (transacting) {
      transactionEnded.awaitUninterruptibly();
    }
  }

  /** Logs progress, durably. */
  public void heartbeat(Json progress) {
    record(new Event.Heartbeat(progress));
    flush();
  }

  /**
   * Ends the turn, together with everything recorded. What is returned completes when that is
   * durable, and with {@link LeaseLost} if it never will be.
   */
  CompletableFuture<?> end(Event.TurnEnd end) {
    CompletableFuture<Outcome> outcome =
        locked(() -> {
          checkOpen();
          return submitEnd(end);
        });
    return outcome.handle((came, problem) -> {
      awaitWrite(outcome);
      return came;
    });
  }

  /** Gives the run back, with everything recorded so far; nothing if the turn has ended. */
  Optional<Event.Released> release(String reason) {
    Event.Released end;
    CompletableFuture<Outcome> outcome;
    lock.lock();
    try {
      awaitTransaction();
      if (ended || lost) {
        return Optional.empty();
      }
      end = new Event.Released(reason, now());
      outcome = submitEnd(end);
    } finally {
      lock.unlock();
    }
    tell();
    awaitWrite(outcome);
    return Optional.of(end);
  }

  private CompletableFuture<Outcome> submitEnd(Event.TurnEnd end) {
    pending.events.add(end);
    nextSeq++;
    ended = true;
    if (!(end instanceof Event.Suspended)) {
      // What still runs can record nothing any more; in a suspended run it may only be parked.
      interruptible.forEach(Thread::interrupt);
    }
    return submit();
  }

  private CompletableFuture<Outcome> submit() {
    Pending batch = pending;
    pending = new Pending();
    long first = nextSeq - batch.events.size();
    return writes.submit(
        new Command.Advance(
            run().id(),
            run().epoch(),
            first,
            run().wakes(),
            List.copyOf(batch.events),
            batch.consumed,
            batch.children,
            batch.sends,
            batch.emits));
  }

  /**
   * Waits until a write is durable. If it failed, its place in the log stays empty and nothing more
   * can be written behind it: that is the end of the turn, as if the lease were lost.
   */
  private void awaitWrite(CompletableFuture<Outcome> future) {
    try {
      await(future);
    } catch (LeaseLost e) {
      throw e;
    } catch (PawlException e) {
      lose(e);
      throw leaseLost();
    }
  }

  private Outcome await(CompletableFuture<Outcome> future) {
    Outcome outcome;
    try {
      outcome = future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof PawlException problem ? problem : e;
    }
    if (outcome instanceof Outcome.Fenced || outcome instanceof Outcome.Missing) {
      lose();
      throw leaseLost();
    }
    return outcome;
  }

  private void checkOpen() {
    if (ended || lost) {
      throw leaseLost();
    }
  }

  /** The exception that says that this turn is over. */
  public LeaseLost leaseLost() {
    return locked(() -> {
      String why = trouble == null ? "" : ": " + trouble.getMessage();
      return new LeaseLost(
          "the lease of run %s (epoch %d) is no longer held here%s"
              .formatted(run().id(), run().epoch(), why),
          trouble);
    });
  }

  // ---- what comes from outside ----

  /** Marks the lease as lost, and interrupts what runs under it. */
  void lose() {
    lose(null);
  }

  private void lose(@Nullable PawlException why) {
    lock.lock();
    try {
      lost = true;
      trouble = trouble == null ? why : trouble;
      interruptible.forEach(Thread::interrupt);
    } finally {
      lock.unlock();
    }
    tell();
  }

  /** Tells the program that the run is to be cancelled; does nothing the second time. */
  void cancel(Mail.Cancel mail) {
    lock.lock();
    try {
      if (cancel.isPresent()) {
        return;
      }
      cancel = Optional.of(mail);
      if (!cancelSeen) {
        interruptible.forEach(Thread::interrupt);
      }
    } finally {
      lock.unlock();
    }
    tell();
  }

  /** Calls the listeners, outside the lock: they have locks of their own. */
  private void tell() {
    listeners.forEach(Runnable::run);
  }

  /** The request to cancel the run, once one has arrived. */
  public Optional<Mail.Cancel> cancelRequest() {
    return locked(() -> cancel);
  }

  public Optional<String> cancelReason() {
    return cancelRequest().map(Mail.Cancel::reason);
  }

  /**
   * The program has learned of the cancellation: what it does from now on is cleaning up, and is
   * not interrupted.
   */
  public void acknowledgeCancel() {
    boolean unused = locked(() -> cancelSeen = true);
  }

  /** Calls back, quickly, when a cancel request arrives or the lease is lost or given back. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /**
   * Lets a thread be interrupted, until the returned handle is closed, by a cancellation or the
   * loss of the lease.
   */
  public Interruptible interruptible(Thread thread) {
    lock.lock();
    try {
      interruptible.add(thread);
      if (lost || ended || (cancel.isPresent() && !cancelSeen)) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
    return () -> {
      boolean unused = locked(() -> interruptible.remove(thread));
    };
  }

  /** Whether the lease was lost, and the turn was not merely ended. */
  public boolean isTaken() {
    return locked(() -> lost);
  }

  /** Whether the lease is no longer ours, as far as is known here. */
  public boolean isLost() {
    return locked(() -> lost || ended);
  }

  private <T> T locked(Supplier<T> reading) {
    lock.lock();
    try {
      return reading.get();
    } finally {
      lock.unlock();
    }
  }
}
