package dev.pawl.store.memory;

import dev.pawl.blob.Blobs;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Definition;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A store in memory. One lock, so that every batch is a transaction. Thread-safe. */
public final class MemoryStore implements Store {
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Tables tables = new Tables();
  private final List<Consumer<Hint>> listeners = new CopyOnWriteArrayList<>();

  private final Blobs blobs;

  public MemoryStore(InstantSource clock) {
    this.clock = clock;
    MemoryBlobs kept = new MemoryBlobs(this::now, run -> run(run).isPresent());
    this.blobs = new Blobs(kept, kept);
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    commands.forEach(this::rehearse);
    List<Hint> hints = new ArrayList<>();
    List<Outcome> outcomes =
        locked(() -> {
          Transaction transaction = new Transaction(tables, now(), hints);
          List<Outcome> all = new ArrayList<>(commands.size());
          commands.forEach(command -> all.add(transaction.apply(command)));
          return Collections.unmodifiableList(all);
        });
    hints.forEach(hint -> listeners.forEach(listener -> listener.accept(hint)));
    return outcomes;
  }

  /**
   * Lets a claimant go on with what it will presumably get, outside the lock: nothing here could be
   * undone if it never came back. The claim itself is then the second one that it hears of.
   */
  private void rehearse(Command command) {
    if (command instanceof Command.Claim claim && !claim.onward().equals(Command.Onward.NONE)) {
      List<Activation> likely = locked(() -> new Claims(tables, now()).rehearse(claim));
      if (!likely.isEmpty()) {
        List<Command.Advance> unused = claim.onward().goOn(likely);
      }
    }
  }

  @Override
  public Optional<Run> run(RunId id) {
    return locked(() -> Optional.ofNullable(tables.runs.get(id)));
  }

  @Override
  public Optional<Run> runByKey(String key) {
    return locked(() -> Optional.ofNullable(tables.keys.get(key)).map(tables.runs::get));
  }

  @Override
  public List<Run> list(Query query) {
    return locked(() ->
        tables.runs.values().stream()
            .filter(run -> matches(query, run))
            .sorted(Comparator.comparing(Run::id).reversed())
            .limit(query.limit())
            .toList());
  }

  private static boolean matches(Query query, Run run) {
    return run.deletedAt().isEmpty()
        && (query.statuses().isEmpty() || query.statuses().contains(run.status()))
        && query.type().map(type -> Routes.of(type).matches(run.type())).orElse(true)
        && query.parent().map(parent -> run.parent().equals(Optional.of(parent))).orElse(true)
        && query
            .worker()
            .map(worker -> run.lease().map(Run.Lease::worker).equals(Optional.of(worker)))
            .orElse(true)
        && query.after().map(after -> run.id().compareTo(after) < 0).orElse(true);
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    return locked(() -> {
      List<Entry> all = tables.log(id);
      int from = firstAfter(all, after);
      return List.copyOf(all.subList(from, (int) Math.min(all.size(), (long) from + limit)));
    });
  }

  /** Where in a log the first entry behind a place is: there, unless somebody made a gap. */
  private static int firstAfter(List<Entry> all, long after) {
    int from = Math.clamp(after, 0, all.size());
    while (from > 0 && all.get(from - 1).seq() > after) {
      from--;
    }
    while (from < all.size() && all.get(from).seq() <= after) {
      from++;
    }
    return from;
  }

  @Override
  public List<Mail> mail(RunId id) {
    return locked(() -> List.copyOf(tables.mail(id)));
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) {
    return locked(
        () -> tables.topics.stream().filter(event -> event.message().equals(message)).findFirst());
  }

  @Override
  public List<Count> counts() {
    return locked(() ->
        tables.runs.values().stream()
            .filter(run -> run.deletedAt().isEmpty())
            .collect(
                Collectors.groupingBy(
                    Run::type,
                    TreeMap::new,
                    Collectors.groupingBy(Run::status, TreeMap::new, Collectors.counting())))
            .entrySet()
            .stream()
            .flatMap(type ->
                type.getValue().entrySet().stream()
                    .map(status -> new Count(type.getKey(), status.getKey(), status.getValue())))
            .toList());
  }

  @Override
  public List<TypeState> types() {
    return locked(() -> List.copyOf(tables.types.values()));
  }

  @Override
  public Optional<Definition> definition(String hash) {
    return locked(() -> Optional.ofNullable(tables.definitions.get(hash)));
  }

  @Override
  public List<Definition> definitions(String type) {
    return locked(() -> {
      List<Definition> found = new ArrayList<>(tables.definitions.values());
      found.removeIf(definition -> !definition.type().equals(type));
      return found.reversed();
    });
  }

  @Override
  public List<String> definedTypes() {
    return locked(() -> List.copyOf(tables.definedTypes));
  }

  @Override
  public Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public Listening listen(Consumer<Hint> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public Optional<Class<?>> transactionResource() {
    return Optional.empty();
  }

  @Override
  public Blobs blobs() {
    return blobs;
  }

  @Override
  public String durability() {
    return "memory: nothing survives the process";
  }

  @Override
  public void close() {
    listeners.clear();
  }

  private <T> T locked(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }
}
