package dev.pawl.work;

import dev.pawl.blob.Blobs;
import dev.pawl.commit.GroupCommit;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.time.Platform;
import dev.pawl.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
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
  private final AtomicLong tickets = new AtomicLong();
  private final Writes writes;
  private final Places places;
  private final Starts starts;
  private final Map<RunId, Turn> turns = new ConcurrentHashMap<>();
  private final Conclusions conclusions;
  private final Program noHandler = (Program.Direct) this::withoutHandler;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Store.Listening listening;
  private final Thread claimer;
  private final Lookout lookout;
  private final Heartbeat heartbeat;
  private volatile boolean backlog = true;

  /** Whether the last look was at some of what may be due only. */
  private volatile boolean partial;

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
    this.writes = Writes.to(commits);
    this.places = new Places(options.concurrency(), platform);
    this.starts = new Starts(this, places, commits, ticker);
    this.conclusions = new Conclusions(turns, places, options.observer(), finished, platform);
    this.lookout =
        new Lookout(store, platform, options.poll(), type -> programs.find(type).isPresent(), stop);
    this.listening = store.listen(lookout::hinted);
    this.claimer = platform.startThread("pawl-claim", this::claimAll);
    this.heartbeat = new Heartbeat(id, store, blobs, commits, options.lease(), platform, turns);
    platform.startThread("pawl-heartbeat", heartbeat::beat);
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
    // In the order in which a run goes from one to the next.
    return !backlog && !partial && places.ahead().isEmpty() && turns.isEmpty() && busy() == 0;
  }

  /** Has it look for runs now: it can carry out more than when it looked last. */
  public void look() {
    lookout.look();
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
    int slots = asked;
    int taken = 0;
    try {
      lookout.begin();
      learn();
      long before = ticker.nanos();
      Breath breath = new Breath(platform, commits, early(before));
      Outcome.Claimed claimed;
      try {
        claimed = claim(asked, breath);
      } finally {
        taken = breath.size();
      }
      partial = !claimed.all();
      backlog(claimed.activations().size() == asked);
      found = !claimed.activations().isEmpty();
      List<Activation> others = breath.settle(claimed, this::hold);
      // A claim that was made twice may have got more than was asked for.
      int beyond = Math.max(0, taken + others.size() - asked);
      places.overdraw(beyond);
      slots += beyond;
      ClaimedLogs logs = new ClaimedLogs(store, others);
      for (Activation activation : others) {
        Activation held = Reprieve.of(activation, store);
        taken++;
        dispatch(held, logs, before);
      }
      return claimed.nextDue();
    } finally {
      places.giveBack(slots - taken);
    }
  }

  private Outcome.Claimed claim(int most, Breath breath) {
    Routes routes = programs.routes(options.only());
    // While nothing else waits that could be more urgent.
    Command.Reach reach = backlog ? Command.Reach.ALL : Command.Reach.NEWS;
    try {
      Outcome outcome = commits.commit(new Command.Claim(claimant(), routes, most, breath, reach));
      if (outcome instanceof Outcome.Claimed claimed) {
        return claimed;
      }
      throw PawlException.internal("a claim came back as " + outcome);
    } catch (RuntimeException | Error e) {
      breath.abandon();
      throw e;
    }
  }

  /** How turns begin while the claim of their runs is under way, which was asked for then. */
  private Breath.Beginning early(long askedNanos) {
    ClaimedLogs none = new ClaimedLogs(store, List.of());
    return new Breath.Beginning(
        programs::isReady,
        (activation, writes) -> turn(activation, none, writes, askedNanos),
        turn -> begin(turn, true));
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
   * can look. As long as nothing is known to wait in the store, the next slot will do. Else those
   * go first who are leased already, while no more are: then there is room for a claim of many.
   */
  private boolean acquireSlot() {
    try {
      if (!places.take()) {
        backlog = true;
        long patience = options.poll().toMillis();
        boolean storeFirst = places.ahead().isStoreFirst();
        if (!(storeFirst ? places.take(patience) : places.takeNext(patience))) {
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

  /** Whether something may wait in the store: that goes before runs that are started here. */
  private void backlog(boolean there) {
    backlog = there;
    places.ahead().storeFirst(there);
  }

  private Command.Claimant claimant() {
    return new Command.Claimant(id, options.runtime(), options.lease(), tickets.incrementAndGet());
  }

  // ---- a run that is started here may be carried out here ----

  /**
   * Hands in the start of a run, which is leased to this worker with it if there is room: then the
   * worker holds the run when the future completes.
   */
  public CompletableFuture<Outcome> start(NewRun run) {
    return starts.submit(run);
  }

  /**
   * Waits for a moment, where that is worth it, until so many more runs can be started under a
   * lease; false if it was in vain.
   */
  public boolean awaitRoom(int runs) {
    return places.ahead().awaitRoom(runs);
  }

  /** Who to lease a run of this type to as it is started, if this worker takes such. */
  Optional<Command.Claimant> claimant(String type) {
    boolean mine = !isStopping() && programs.find(type).isPresent() && options.only().isEmpty();
    return mine ? Optional.of(claimant()) : Optional.empty();
  }

  // ---- turn ----

  private void dispatch(Activation activation, ClaimedLogs logs, long claimedNanos) {
    begin(hold(activation, logs, claimedNanos));
  }

  /** Holds a run that was leased as it was started; its turn is still to begin. */
  Turn hold(Activation activation, long claimedNanos) {
    return hold(activation, new ClaimedLogs(store, List.of()), claimedNanos);
  }

  private Turn hold(Activation activation, ClaimedLogs logs, long claimedNanos) {
    Turn turn = turn(activation, logs, writes, claimedNanos);
    hold(turn);
    return turn;
  }

  private Turn turn(Activation activation, ClaimedLogs logs, Writes way, long claimedNanos) {
    Archive archive = new Archive(activation, logs, store, blobs);
    return new Turn(activation, archive, way, platform, claimedNanos);
  }

  /** Takes note of a turn whose lease is durable. */
  private void hold(Turn turn) {
    @Nullable Turn before = turns.put(turn.run().id(), turn);
    if (before != null && !before.isLost()) {
      // Its lease is over: the store has just given the run to this one.
      before.lose();
    }
  }

  /** Begins a turn, which has a slot; if it is too late for that its run is given back. */
  void begin(Turn turn) {
    if (drained) {
      giveBack(turn, () -> places.giveBack(1));
    } else {
      begin(turn, false);
    }
  }

  private void begin(Turn turn, boolean early) {
    Optional<Programs.Handler> handler = programs.find(turn.run().type());
    Retry retry = handler.map(Programs.Handler::retry).orElseGet(Retry::standard);
    Program program = handler.map(Programs.Handler::program).orElse(noHandler);
    Program.Ending ending = conclusions.of(turn, retry, early);
    try {
      if (turn.isLost()) {
        throw turn.leaseLost();
      }
      program.begin(turn, ending);
    } catch (RuntimeException | Error e) {
      ending.fail(e);
    }
  }

  /** Gives back a run whose turn has not begun, then its room; waits for neither. */
  void giveBack(Turn turn, Runnable room) {
    Thread.ofVirtual()
        .name("pawl-give-back")
        .start(() -> {
          release(turn, isStopping() ? shuttingDown() : "worker " + id + " had no slot for it");
          turns.remove(turn.run().id(), turn);
          room.run();
        });
  }

  private Event.TurnEnd withoutHandler(Turn turn) {
    Run run = turn.run();
    LOG.warn(
        "no handler for {} in worker {}: run {} goes back for {}",
        run.type(),
        id,
        run.id(),
        NO_HANDLER_DELAY);
    return new Event.Released(
        "no handler for " + run.type() + " in " + id, turn.now().plus(NO_HANDLER_DELAY));
  }

  // ---- stop ----

  private boolean isStopping() {
    return stop.getCount() == 0;
  }

  /** Stops claiming at once; what has begun goes on, what waits for a slot is given back. */
  public void stopClaiming() {
    stop.countDown();
    lookout.end();
    places.ahead().close();
  }

  /** Waits for so long; false if the worker stops meanwhile. */
  boolean rest(long millis) {
    try {
      return !platform.await(stop, millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    stopClaiming();
    listening.close();
    awaitTurns();
    endClaiming();
    drained = true;
    turns.values().forEach(turn -> release(turn, shuttingDown()));
    heartbeat.stop();
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

  private String shuttingDown() {
    return "worker " + id + " is shutting down";
  }

  private void release(Turn turn, String why) {
    try {
      turn.release(why).ifPresent(end -> conclusions.tell(turn, end));
    } catch (RuntimeException e) {
      LOG.debug("run {} could not be given back: {}", turn.run().id(), e.getMessage());
    }
  }
}
