package dev.pawl.store;

import dev.pawl.blob.Blobs;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where runs live. A store does one thing: it commits a list of commands in one transaction and
 * says of each what came of it. All times are the store's own clock. Thread-safe; every method may
 * block.
 */
public interface Store extends AutoCloseable {

  /**
   * Commits the commands, in order, in one transaction. Each has its own outcome, at its own index:
   * a stale, duplicate or impossible one never spoils its neighbours, and each takes effect whole
   * or not at all. When this returns, the effects are durable at the level that {@link #durability}
   * states. Called by threads of the operating system, also by those of users: an interrupt does
   * not cut it short.
   *
   * @throws dev.pawl.error.PawlException with code {@code UNKNOWN_OUTCOME} if the commit may or may
   *     not have taken place; with any other code nothing of it has
   */
  List<Outcome> commit(List<Command> commands);

  Optional<Run> run(RunId id);

  Optional<Run> runByKey(String key);

  /** A page of runs, newest first. */
  List<Run> list(Query query);

  /**
   * At most {@code limit} entries of the run's log behind {@code after}, in order; none for an
   * unknown run.
   */
  List<Entry> log(RunId id, long after, int limit);

  /** The logs of several runs, each up to its entry {@code last}; empty ones for unknown runs. */
  default Map<RunId, List<Entry>> logs(Collection<RunId> ids, int last) {
    Map<RunId, List<Entry>> logs = new HashMap<>();
    ids.forEach(id -> logs.put(id, log(id, 0, last)));
    return logs;
  }

  /** What lies unread in the run's mailbox, oldest first, without topic events. */
  List<Mail> mail(RunId id);

  /** The position and time of a topic event, if it was emitted and is still kept. */
  Optional<Mail.Topic> emitted(java.util.UUID message);

  /** How many runs there are, by type and status. */
  List<Count> counts();

  /** The types somebody configured, by name. */
  List<TypeState> types();

  /** The definition with this hash, if it was deployed. */
  Optional<Definition> definition(String hash);

  /** The definitions of a type, the newest first: that is the one new runs take. */
  List<Definition> definitions(String type);

  /** The definition that new runs of a type take. */
  default Optional<Definition> newestDefinition(String type) {
    return definitions(type).stream().findFirst();
  }

  /** The types that have definitions, by name. */
  List<String> definedTypes();

  /**
   * How many commits may be under way at once with profit. Those who commit see to it that no two
   * of them are about the same run.
   */
  default int lanes() {
    return 1;
  }

  /** The store's clock. */
  Instant now();

  /**
   * Tells the listener, until the returned handle is closed, that something may have changed. Hints
   * are only hints: they may come late, twice, for nothing, or not at all. The listener must be
   * quick and must not call the store.
   */
  Listening listen(Consumer<Hint> listener);

  /** The kind of thing a transactional step gets to work with, if the store has them. */
  Optional<Class<?>> transactionResource();

  /**
   * Records a run in a transaction of the caller's, given a resource of the kind that {@link
   * #transactionResource} names and that leads to this store: {@link Outcome.Started}, or {@link
   * Outcome.AlreadyStarted} if its id or its key is taken. The caller commits, or does not.
   *
   * @throws dev.pawl.error.PawlException with code {@code UNSUPPORTED} if the store cannot, or not
   *     with this resource
   */
  default Outcome startIn(Object transaction, NewRun run) {
    throw PawlException.unsupported(
        "a run was to be started in a transaction of the caller's ("
            + transaction.getClass().getName()
            + "); this store cannot do that: start it without");
  }

  /** The blobs that are kept here; a store without any refuses them. */
  default Blobs blobs() {
    return Blobs.refused();
  }

  /**
   * Replaces a run's row by another, if it still is as {@code before} says; returns whether it was.
   * For repairs: the caller has worked out from the log what the row should be. The log is not
   * touched.
   *
   * @throws dev.pawl.error.PawlException with code {@code UNSUPPORTED} if the store has no rows
   *     that could be broken; with {@code CONFLICT} if the new row's key belongs to another run
   */
  default boolean replaceRow(Run before, Run after) {
    throw PawlException.unsupported(
        "the row of run " + before.id() + " was to be replaced; this store cannot do that");
  }

  /** What an acknowledged commit survives, in one line for people. */
  String durability();

  @Override
  void close();

  /** Ends a listener's registration. */
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }
}
