package dev.pawl;

import dev.pawl.blob.Blobs;
import dev.pawl.commit.GroupCommit;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.History;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Definition;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.time.Platform;
import dev.pawl.work.DefinedProgram;
import dev.pawl.work.Programs;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import dev.pawl.work.Worker;
import dev.pawl.work.WorkerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The engine in a process: the way in for producers, operators and workers alike.
 *
 * <pre>{@code
 * try (var pawl = Pawl.open("sqlite:orders.db")) {
 *   pawl.register(CHECKOUT).work();
 *   Receipt receipt = pawl.start(CHECKOUT, order, o -> o.key(order.id())).result();
 * }
 * }</pre>
 *
 * <p>Whatever a method has returned for is durable. Thread-safe.
 */
public final class Pawl implements AutoCloseable {
  private static final int LOG_PAGE = 1000;

  private final Store store;
  private final Blobs blobs;
  private final GroupCommit commits;
  private final Types types;
  private final Programs programs = new Programs();
  private final Results results;
  private final Store.Listening listening;
  private final Platform platform;
  private volatile @Nullable Worker worker;
  private boolean closed;

  private Pawl(Store store, Blobs blobs, Platform platform) {
    this.store = store;
    this.blobs = blobs;
    this.platform = platform;
    this.commits = new GroupCommit(store, platform);
    this.types = new Types(store, commits);
    this.results = new Results(store, this::isHere, platform);
    this.listening = store.listen(results::hinted);
  }

  /**
   * Opens the store at an address, such as {@code sqlite:orders.db} or {@code memory:}; it is made
   * if it is not there. Blobs are kept in it, or where {@code PAWL_BLOBS} says: {@code file:/dir}.
   */
  public static Pawl open(String url) {
    return open(url, System.getenv().getOrDefault("PAWL_BLOBS", ""));
  }

  /** Opens the store at an address, with blobs at another, such as {@code file:/dir}. */
  public static Pawl open(String url, String blobsUrl) {
    Store store = Stores.open(url);
    return new Pawl(store, Stores.blobs(store, blobsUrl), Platform.system());
  }

  /** Opens the engine on a store, and closes it in the end. */
  public static Pawl open(Store store) {
    return open(store, Platform.system());
  }

  /** As {@link #open(Store)}, on a platform of your own making. */
  public static Pawl open(Store store, Platform platform) {
    return new Pawl(store, store.blobs(), platform);
  }

  // ---- working ----

  /** Makes a type known, so that this process can carry out its runs, also if it works already. */
  public Pawl register(RunType<?, ?> type) {
    programs.add(type);
    look();
    return this;
  }

  /** Makes a kind of definition known: this process can carry out every type that has one. */
  public Pawl register(DefinedProgram kind) {
    programs.add(kind);
    look();
    return this;
  }

  /** Keeps a program's source in the store: new runs of its type take it, others keep theirs. */
  public void deploy(Definition definition) {
    commits.commit(new Command.Deploy(definition));
    programs.learn(definition);
    look();
  }

  /** Has the worker look for runs of what it has just learned. */
  private void look() {
    Worker here = worker;
    if (here != null) {
      here.look();
    }
  }

  /** Starts to carry out runs of the registered types. */
  public Worker work() {
    return work(UnaryOperator.identity());
  }

  /** Starts to carry out runs: {@code pawl.work(w -> w.concurrency(256).only("billing.%"))}. */
  public synchronized Worker work(UnaryOperator<WorkerOptions> options) {
    if (closed) {
      throw PawlException.closed("the engine");
    }
    if (worker != null) {
      throw PawlException.conflict(
          "this engine is working already; open another one for a second worker");
    }
    WorkerOptions chosen = options.apply(WorkerOptions.defaults());
    worker =
        new Worker(
            WorkerId.fresh(platform.newId()),
            store,
            blobs,
            commits,
            programs,
            chosen,
            results::ended,
            platform);
    return worker;
  }

  private boolean isHere(RunId run) {
    Worker here = worker;
    return here != null && here.isHolding(run);
  }

  // ---- starting ----

  /** Records a run. It will be carried out, whether a worker exists yet or not. */
  public <I, O> RunHandle<O> start(RunType<I, O> type, @Nullable I input) {
    return start(type, input, UnaryOperator.identity());
  }

  /**
   * Records a run with options: {@code pawl.start(CHECKOUT, order, o ->
   * o.key(order.id()).priority(10))}.
   */
  public <I, O> RunHandle<O> start(
      RunType<I, O> type, @Nullable I input, UnaryOperator<StartOptions> options) {
    StartOptions chosen = options.apply(StartOptions.DEFAULTS);
    NewRun run = chosen.newRun(newRunId(), type.type(), JsonCodec.encode(input), type.retry());
    return start(run, type.output(), chosen.ifExists());
  }

  /** As {@link #start(AutoCloseable, RunType, Object, UnaryOperator)}, without options. */
  public <I, O> RunHandle<O> start(
      AutoCloseable transaction, RunType<I, O> type, @Nullable I input) {
    return start(transaction, type, input, UnaryOperator.identity());
  }

  /**
   * Records a run in a transaction of the caller's, on a store that has them: {@code
   * pawl.start(connection, CHECKOUT, order)} with a {@code java.sql.Connection} to the store's
   * database. The run is there when that transaction commits, and never if it does not; neither is
   * anything committed or closed here.
   */
  public <I, O> RunHandle<O> start(
      AutoCloseable transaction,
      RunType<I, O> type,
      @Nullable I input,
      UnaryOperator<StartOptions> options) {
    StartOptions chosen = options.apply(StartOptions.DEFAULTS);
    NewRun run = chosen.newRun(newRunId(), type.type(), JsonCodec.encode(input), type.retry());
    return handle(store.startIn(transaction, run), type.output(), chosen.ifExists());
  }

  /** Records a run of a type that this program knows by name only. */
  public RunHandle<Json> start(String type, Json payload, UnaryOperator<StartOptions> options) {
    StartOptions chosen = options.apply(StartOptions.DEFAULTS);
    return start(
        chosen.newRun(newRunId(), type, payload, Retry.standard()),
        JsonType.of(Json.class),
        chosen.ifExists());
  }

  /** Records many runs at once; they share commits. */
  public <I, O> List<RunHandle<O>> startAll(RunType<I, O> type, List<? extends I> inputs) {
    return startAll(type, inputs, (input, options) -> options);
  }

  /** Options for one of many runs, given its input. */
  @FunctionalInterface
  public interface OptionsFor<I> {
    StartOptions apply(I input, StartOptions options);
  }

  /** Records many runs at once, each with options of its own. */
  public <I, O> List<RunHandle<O>> startAll(
      RunType<I, O> type, List<? extends I> inputs, OptionsFor<I> options) {
    List<StartOptions> chosen = new ArrayList<>();
    Bulk bulk = new Bulk(commits, worker);
    for (I input : inputs) {
      StartOptions own = options.apply(input, StartOptions.DEFAULTS);
      chosen.add(own);
      NewRun run = own.newRun(newRunId(), type.type(), JsonCodec.encode(input), type.retry());
      bulk.start(run);
    }
    List<CompletableFuture<Outcome>> outcomes = bulk.outcomes();
    List<RunHandle<O>> handles = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      handles.add(
          handle(GroupCommit.await(outcomes.get(i)), type.output(), chosen.get(i).ifExists()));
    }
    return handles;
  }

  private <O> RunHandle<O> start(NewRun run, JsonType<O> output, IfExists policy) {
    Worker here = worker;
    Outcome outcome =
        here == null ? commits.commit(new Command.Start(run)) : GroupCommit.await(here.start(run));
    return handle(outcome, output, policy);
  }

  private <O> RunHandle<O> handle(Outcome outcome, JsonType<O> output, IfExists policy) {
    return switch (outcome) {
      case Outcome.Started started -> RunHandle.started(this, started.run().id(), output);
      case Outcome.AlreadyStarted there -> {
        Run run = there.run();
        if (policy == IfExists.REJECT) {
          throw PawlException.conflict(
              "a run with key '"
                  + run.key().orElse("")
                  + "' is there already: "
                  + run.id()
                  + " ("
                  + run.status().word()
                  + ")");
        }
        if (policy == IfExists.RETRY_IF_FAILED && run.status() == Status.FAILED) {
          retryUnlessAnotherDid(run.id());
        }
        yield RunHandle.found(this, run, output);
      }
      default -> throw Refusals.unexpected("start", outcome);
    };
  }

  private void retryUnlessAnotherDid(RunId id) {
    try {
      retry(id);
    } catch (PawlException e) {
      if (e.code() != ErrorCode.CONFLICT || get(id).status() == Status.FAILED) {
        throw e;
      }
    }
  }

  // ---- looking ----

  /**
   * The run as it stands.
   *
   * @throws PawlException with {@code NOT_FOUND}
   */
  public Run get(RunId id) {
    return store.run(id).orElseThrow(() -> Refusals.missing(id));
  }

  public Optional<Run> find(RunId id) {
    return store.run(id);
  }

  public Optional<Run> findByKey(String key) {
    return store.runByKey(key);
  }

  /** A handle on a run that was started elsewhere or earlier. */
  public RunHandle<Json> handle(RunId id) {
    return handle(id, JsonType.of(Json.class));
  }

  public <O> RunHandle<O> handle(RunId id, JsonType<O> output) {
    return RunHandle.found(this, get(id), output);
  }

  /** A page of runs, newest first; the next page begins {@code withAfter} the last of this one. */
  public List<Run> list(Query query) {
    return store.list(query);
  }

  /** At most {@code limit} entries of the run's log behind {@code after}. */
  public List<Entry> log(RunId id, long after, int limit) {
    List<Entry> page = store.log(id, after, limit);
    if (page.isEmpty() && after == 0) {
      throw Refusals.missing(id);
    }
    return page;
  }

  /** The whole log of a run. */
  public List<Entry> log(RunId id) {
    List<Entry> all = new ArrayList<>(log(id, 0, LOG_PAGE));
    List<Entry> page = all;
    while (page.size() == LOG_PAGE) {
      page = store.log(id, page.get(page.size() - 1).seq(), LOG_PAGE);
      all.addAll(page);
    }
    return all;
  }

  /** The content of what results and logs only refer to. */
  public Blobs blobs() {
    return blobs;
  }

  /** How many runs there are, by type and status. */
  public List<Count> counts() {
    return store.counts();
  }

  /** The types that somebody has paused or described. */
  public List<TypeState> types() {
    return store.types();
  }

  /** Waits, at most this long, until the run has ended, and tells how. */
  Event.Terminal await(RunId id, Duration limit, boolean fresh) {
    return results.await(id, limit, fresh);
  }

  // ---- messages ----

  /** Sends a signal to a run; it is kept until the run asks for it. */
  public void signal(RunId id, String name, @Nullable Object value) {
    Outcome outcome =
        commits.commit(new Command.Send(id, platform.newId(), name, JsonCodec.encode(value)));
    if (!(outcome instanceof Outcome.Sent)) {
      throw Refusals.refused("signalled", outcome);
    }
  }

  /** Emits an event to everybody who waits on the topic or will; returns how many runs it woke. */
  public int emit(String topic, @Nullable Object value) {
    Outcome outcome =
        commits.commit(new Command.Emit(platform.newId(), topic, JsonCodec.encode(value)));
    if (outcome instanceof Outcome.Emitted emitted) {
      return emitted.woken();
    }
    throw Refusals.unexpected("emit", outcome);
  }

  // ---- operating ----

  /** Cancels a run and the children it awaits. One that runs or has to clean up ends later. */
  public Run cancel(RunId id, String reason) {
    return cancel(id, reason, false);
  }

  /** As {@link #cancel(RunId, String)}; forced, it ends at once, without any cleaning up. */
  public Run cancel(RunId id, String reason, boolean force) {
    Outcome outcome = commits.commit(new Command.Cancel(id, reason, force));
    if (outcome instanceof Outcome.CancelTaken taken) {
      return taken.run();
    }
    throw Refusals.refused("cancelled", outcome);
  }

  /**
   * Gives a failed or cancelled run another chance, from where it failed; from the top if it has
   * undone its work.
   */
  public Run retry(RunId id) {
    return reopen(id, "retry", History.of(log(id)).keepForRetry());
  }

  /**
   * Takes a run back to a step, given as {@code name} or {@code name#2}: that step and all behind
   * it are done again.
   */
  public Run rewind(RunId id, String step) {
    return reopen(id, "rewind", Reopening.keepBefore(get(id), History.of(log(id)), step));
  }

  private Run reopen(RunId id, String how, long keep) {
    History before = History.of(log(id));
    Outcome outcome = commits.commit(new Command.Rewind(id, platform.newId(), how, keep, ""));
    if (outcome instanceof Outcome.Reopened reopened) {
      for (RunId child : before.childrenOut(keep)) {
        commits.commit(new Command.Cancel(child, "its parent " + id + " was rewound", false));
      }
      return reopened.run();
    }
    throw Refusals.refused(how.equals("retry") ? "retried" : "rewound", outcome);
  }

  /** Starts a new run with the same input and the history of this one up to a step. */
  public RunHandle<Json> fork(RunId id, String step) {
    Run source = get(id);
    NewRun run = Reopening.fork(newRunId(), source, History.of(log(id)), step);
    return start(run, JsonType.of(Json.class), IfExists.ATTACH);
  }

  /** Keeps runs of a type from being claimed; those that run go on until their turn ends. */
  public void pause(String type) {
    types.enable(type, false);
  }

  public void resume(String type) {
    types.enable(type, true);
  }

  /**
   * Says which runtime carries out a type: {@code java}, {@code python}, or {@code any}. A worker
   * of another one leaves its runs alone.
   */
  public void assign(String type, String runtime) {
    types.assign(type, runtime);
  }

  /** Hides a finished run; it is removed for good some time later. */
  public void delete(RunId id) {
    Outcome outcome = commits.commit(new Command.Delete(id));
    if (!(outcome instanceof Outcome.Done)) {
      throw Refusals.refused("deleted", outcome);
    }
  }

  /** The store beneath, for tools. */
  public Store store() {
    return store;
  }

  Platform platform() {
    return platform;
  }

  private RunId newRunId() {
    return new RunId(platform.newId());
  }

  /** The group commit beneath, for tools. */
  public GroupCommit commits() {
    return commits;
  }

  /** Stops working, giving turns time to finish, and closes the store. */
  @Override
  public void close() {
    Worker last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = worker;
    }
    if (last != null) {
      last.close();
    }
    listening.close();
    commits.close();
    store.close();
    results.close();
  }
}
