package dev.pawl.work;

import dev.pawl.blob.Blobs;
import dev.pawl.commit.GroupCommit;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims runs and carries out their turns: claim, turn, advance, and again.
 *
 * <p>An idle worker waits for a hint, for the next due time it knows of, and in vain ever longer up
 * to its poll interval. Leases are renewed in one batch by a thread of their own, which is the last
 * to stop. {@link #close} stops claiming, lets turns finish for a while, and gives back the rest.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
  private static final int MAX_CLAIM = 256;
  private static final Duration NO_HANDLER_DELAY = Duration.ofSeconds(30);
  private static final Duration STORE_TROUBLE_WAIT = Duration.ofSeconds(1);
  private static final Duration LEARN_EVERY = Duration.ofMillis(250);

  private final String id;
  private final Store store;
  private final Blobs blobs;
  private final GroupCommit commits;
  private final Programs programs;
  private final WorkerOptions options;
  private final Platform platform;
  private final Ticker ticker;
  private final BiConsumer<RunId, Event.Terminal> finished;
  private final AtomicLong tickets = new AtomicLong();
  private final Places places;
  private final Map<RunId, Turn> turns = new ConcurrentHashMap<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch heartbeatStop = new CountDownLatch(1);
  private final Store.Listening listening;
  private final Thread claimer;
  private final Lookout lookout;
  private volatile boolean backlog = true;
  private boolean found;
  private volatile boolean drained;
  private long learnedNanos;

  /**
   * Starts the worker.
   *
   * @param id its identity, new with every boot
   * @param blobs those of the store, or others
   * @param finished told of each run that ended here, after the commit
   * @param platform what it runs on
   */
  public Worker(
      String id,
      Store store,
      Blobs blobs,
      GroupCommit commits,
      Programs programs,
      WorkerOptions options,
      BiConsumer<RunId, Event.Terminal> finished,
      Platform platform) {
    this.platform = platform;
    this.ticker = platform.ticker();
    this.id = id;
    this.store = store;
    this.blobs = blobs;
    this.commits = commits;
    this.programs = programs;
    this.options = options;
    this.finished = finished;
    this.places = new Places(options.concurrency(), platform);
    this.lookout =
        new Lookout(store, platform, options.poll(), type -> programs.find(type).isPresent(), stop);
    this.listening = store.listen(lookout::hinted);
    this.claimer = Thread.ofVirtual().name("pawl-claim").start(this::claimAll);
    platform.startThread("pawl-heartbeat", this::renewAll);
  }

  public String id() {
    return id;
  }

  /** Whether this worker is carrying out a turn of the run. */
  public boolean isHolding(RunId run) {
    return turns.containsKey(run);
  }

  /** How many turns are being carried out, not counting those whose end is being committed. */
  public int busy() {
    return places.taken();
  }

  /** Whether the last look found nothing more to claim, and nothing is being carried out. */
  public boolean isIdle() {
    return !backlog && turns.isEmpty() && busy() == 0;
  }

  // ---- claim ----

  private void claimAll() {
    while (!isStopping()) {
      try {
        Optional<Instant> next = claim();
        if (!backlog) {
          lookout.rest(next, found);
        }
      } catch (RuntimeException e) {
        if (!isStopping()) {
          LOG.warn("worker {} could not claim: {}", id, e.toString());
          lookout.pause(STORE_TROUBLE_WAIT.toMillis());
        }
      }
    }
  }

  /**
   * Claims as much as there is room for; returns when the next run falls due, if nothing is left
   * now.
   */
  private Optional<Instant> claim() {
    if (!acquireSlot()) {
      return Optional.empty();
    }
    int room = 1 + places.takeRest();
    int asked = Math.min(room, MAX_CLAIM);
    places.giveBack(room - asked);
    int taken = 0;
    try {
      lookout.begin();
      learn();
      long before = ticker.nanos();
      Routes routes = programs.routes(options.only());
      Breath breath = new Breath(platform, commits, new EarlyTurns(before));
      Outcome.Claimed claimed;
      try {
        claimed = claim(new Command.Claim(claimant(), routes, asked, breath));
      } catch (RuntimeException | Error e) {
        breath.abandon();
        throw e;
      } finally {
        taken = breath.size();
      }
      backlog = claimed.activations().size() == asked;
      found = !claimed.activations().isEmpty();
      List<Activation> others = breath.settle(claimed, this::hold);
      // A claim that was made twice may have left turns that are only about to give up their slots.
      places.takeMore(taken + others.size() - asked);
      ClaimedLogs logs = new ClaimedLogs(store, others);
      for (Activation activation : others) {
        Activation held = Reprieve.of(activation, store);
        taken++;
        dispatch(held, logs, before);
      }
      return claimed.nextDue();
    } finally {
      places.giveBack(Math.max(0, asked - taken));
    }
  }

  private Outcome.Claimed claim(Command.Claim command) {
    Outcome outcome = commits.commit(command);
    if (outcome instanceof Outcome.Claimed claimed) {
      return claimed;
    }
    throw PawlException.internal("a claim came back as " + outcome);
  }

  /** Looks up, not too often, which types have got a definition meanwhile. */
  private void learn() {
    if (learnedNanos == 0 || ticker.since(learnedNanos).compareTo(LEARN_EVERY) > 0) {
      programs.learn(store);
      learnedNanos = ticker.nanos();
    }
  }

  /**
   * Waits for room for one more turn; false if the worker is stopping, or after a while, so that it
   * can look. Whoever waits here comes before runs that are started meanwhile.
   */
  private boolean acquireSlot() {
    try {
      if (!places.take()) {
        backlog = true;
        if (!places.take(options.poll().toMillis())) {
          return false;
        }
      }
      if (isStopping()) {
        places.giveBack(1);
        return false;
      }
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  private Command.Claimant claimant() {
    return new Command.Claimant(id, options.runtime(), options.lease(), tickets.incrementAndGet());
  }

  // ---- a run that is started here may be carried out here ----

  /**
   * Who to lease a run of this type to as it is started, if this worker has room and nothing waits;
   * else empty.
   */
  public Optional<Command.Claimant> offer(String type) {
    boolean mine =
        !backlog && !isStopping() && programs.find(type).isPresent() && options.only().isEmpty();
    return mine && places.take() ? Optional.of(claimant()) : Optional.empty();
  }

  /**
   * Takes what came of a start under {@link #offer}: the run if it was leased, else only the room
   * back.
   */
  public void take(Optional<Activation> activation, long offeredNanos) {
    if (activation.isPresent()) {
      dispatch(activation.get(), new ClaimedLogs(store, List.of()), offeredNanos);
    } else {
      places.giveBack(1);
    }
  }

  // ---- turn ----

  private void dispatch(Activation activation, ClaimedLogs logs, long claimedNanos) {
    Archive archive = new Archive(activation, logs, store, blobs);
    Turn turn = new Turn(activation, archive, Writes.to(commits), platform, claimedNanos);
    hold(turn);
    if (drained) {
      release(turn);
      leave(turn, false);
    } else {
      Thread.ofVirtual().name("pawl-turn").start(() -> carryOut(turn, false));
    }
  }

  /** Takes note of a turn whose lease is durable. */
  private void hold(Turn turn) {
    @Nullable Turn before = turns.put(turn.run().id(), turn);
    if (before != null && !before.isLost()) {
      // Its lease is over: the store has just given the run to this one.
      before.lose();
    }
  }

  /** Turns that begin while the claim of their runs is under way. */
  private final class EarlyTurns implements Breath.Beginning {
    private final long askedNanos;

    EarlyTurns(long askedNanos) {
      this.askedNanos = askedNanos;
    }

    @Override
    public boolean isReady(Activation activation) {
      boolean late = activation.run().deadline().filter(activation::isPast).isPresent();
      return !late
          && programs
              .find(activation.run().type())
              .filter(handler -> handler.program().isReady(activation))
              .isPresent();
    }

    @Override
    public Turn turn(Activation activation, Writes writes) {
      ClaimedLogs none = new ClaimedLogs(store, List.of());
      Archive archive = new Archive(activation, none, store, blobs);
      return new Turn(activation, archive, writes, platform, askedNanos);
    }

    @Override
    public void go(Turn turn) {
      Thread.ofVirtual().name("pawl-turn").start(() -> carryOut(turn, true));
    }
  }

  private void leave(Turn turn, boolean moved) {
    turns.remove(turn.run().id(), turn);
    places.leave(moved);
  }

  /**
   * Carries out a turn.
   *
   * @param early whether its lease was not durable when it began: then it keeps its slot until it
   *     is, so that the worker is not taken to be idle
   */
  private void carryOut(Turn turn, boolean early) {
    Optional<Event.TurnEnd> end = Optional.empty();
    boolean moved = false;
    try {
      end = unlessLost(turn, () -> decide(turn));
      moved = !early && places.moveOn();
      end = end.flatMap(decided -> unlessLost(turn, () -> commitEnd(turn, decided)));
    } finally {
      leave(turn, moved);
    }
    // Only now: whoever waits for this end may start the next run, and should find room for it.
    if (end.isPresent() && end.get() instanceof Event.Terminal terminal) {
      finished.accept(turn.run().id(), terminal);
    }
  }

  private Event.TurnEnd commitEnd(Turn turn, Event.TurnEnd end) {
    turn.end(end);
    observe(() -> options.observer().ended(turn, end));
    return end;
  }

  /** Does a part of a turn; what comes to nothing is told, and gives nothing. */
  private Optional<Event.TurnEnd> unlessLost(Turn turn, Supplier<Event.TurnEnd> part) {
    Run run = turn.run();
    try {
      return Optional.of(part.get());
    } catch (Turn.LeaseLost e) {
      if (turn.isTaken()) {
        observe(() -> options.observer().lost(turn));
      }
      if (e.getCause() instanceof PawlException cause && cause.code() != ErrorCode.CLOSED) {
        LOG.warn("turn of {} {} abandoned: {}", run.type(), run.id(), e.getMessage());
      } else {
        LOG.debug("turn of {} {} abandoned: {}", run.type(), run.id(), e.getMessage());
      }
    } catch (Throwable e) {
      LOG.error(
          "turn of {} {} could not be committed; its lease will expire", run.type(), run.id(), e);
    }
    return Optional.empty();
  }

  private static void observe(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.warn("an observer of turns threw: {}", e.toString());
    }
  }

  private Event.TurnEnd decide(Turn turn) {
    Run run = turn.run();
    Optional<Programs.Handler> handler = programs.find(run.type());
    if (handler.isEmpty()) {
      LOG.warn(
          "no handler for {} in worker {}: run {} goes back for {}",
          run.type(),
          id,
          run.id(),
          NO_HANDLER_DELAY);
      return new Event.Released(
          "no handler for " + run.type() + " in " + id, turn.now().plus(NO_HANDLER_DELAY));
    }
    try {
      return handler.get().program().run(turn);
    } catch (Turn.LeaseLost e) {
      throw e;
    } catch (Throwable e) {
      return failed(turn, handler.get().retry(), e);
    }
  }

  private Event.TurnEnd failed(Turn turn, Retry retry, Throwable error) {
    Run run = turn.run();
    Failure.Source source = new Failure.Source("run", run.id().toString(), run.type());
    RunPolicy policy = RunPolicy.of(run);
    Failure failure = policy.judge(Failures.of(error, retry, run.attempt(), source));
    if (failure.retryable() && run.attempt() < run.maxAttempts()) {
      Instant next = turn.now().plus(policy.over(retry).backoff(run, platform.chance()));
      return new Event.Retried(failure, next, run.cleanup());
    }
    return new Event.Failed(failure);
  }

  // ---- leases ----

  private void renewAll() {
    long everyMillis = Math.max(1, options.lease().toMillis() / 3);
    Sweeping sweeping = new Sweeping(store, blobs, commits, ticker);
    while (!await(heartbeatStop, everyMillis)) {
      try {
        renew();
        sweeping.sweepIfDue();
      } catch (RuntimeException e) {
        LOG.warn("worker {} could not renew {} leases: {}", id, turns.size(), e.getMessage());
      }
    }
  }

  /** What is told of a run concerns the turn that was asked about, not one that came after it. */
  private void renew() {
    Map<RunId, Turn> asked = new LinkedHashMap<>(turns);
    if (asked.isEmpty()) {
      return;
    }
    List<Command.Held> held =
        asked.values().stream()
            .map(turn -> new Command.Held(turn.run().id(), turn.run().epoch()))
            .toList();
    Outcome outcome = commits.commit(new Command.Extend(id, held, options.lease()));
    if (outcome instanceof Outcome.Extended extended) {
      extended.lost().stream().flatMap(run -> turn(asked, run)).forEach(Turn::lose);
      extended.cancelled().stream().flatMap(run -> turn(asked, run)).forEach(this::tellCancelled);
    }
  }

  private static Stream<Turn> turn(Map<RunId, Turn> turns, RunId run) {
    return Stream.ofNullable(turns.get(run));
  }

  private void tellCancelled(Turn turn) {
    store.mail(turn.run().id()).stream()
        .filter(Mail.Cancel.class::isInstance)
        .map(Mail.Cancel.class::cast)
        .findFirst()
        .ifPresent(turn::cancel);
  }

  // ---- stop ----

  private boolean isStopping() {
    return stop.getCount() == 0;
  }

  /** Stops claiming at once; what is being carried out goes on. */
  public void stopClaiming() {
    stop.countDown();
    lookout.end();
  }

  @Override
  public void close() {
    stopClaiming();
    listening.close();
    awaitTurns();
    endClaiming();
    drained = true;
    turns.values().forEach(this::release);
    heartbeatStop.countDown();
  }

  /** Waits, as long as the drain allows, until no turn is left. */
  private void awaitTurns() {
    try {
      places.awaitEmpty(options.drain());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a claim that is under way: what it brings is given back with the rest. */
  private void endClaiming() {
    claimer.interrupt();
    boolean interrupted = false;
    while (claimer.isAlive()) {
      try {
        claimer.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void release(Turn turn) {
    try {
      turn.release("worker " + id + " is shutting down")
          .ifPresent(end -> observe(() -> options.observer().ended(turn, end)));
    } catch (RuntimeException e) {
      LOG.debug("run {} could not be given back: {}", turn.run().id(), e.getMessage());
    }
  }

  private boolean await(CountDownLatch latch, long millis) {
    try {
      return platform.await(latch, millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
