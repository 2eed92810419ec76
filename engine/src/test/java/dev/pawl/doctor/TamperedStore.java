package dev.pawl.doctor;

import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A store whose rows, logs and mailboxes can be served other than they are. Not thread-safe. */
final class TamperedStore implements Store {
  private final Store store;
  private final Map<RunId, UnaryOperator<Run>> rows = new HashMap<>();
  private final Map<RunId, UnaryOperator<List<Entry>>> logs = new HashMap<>();
  private final Map<RunId, List<Mail>> mail = new HashMap<>();
  private final Map<String, Run> keys = new HashMap<>();

  TamperedStore(Store store) {
    this.store = store;
  }

  void serveRow(RunId id, UnaryOperator<Run> change) {
    rows.put(id, change);
  }

  void serveLog(RunId id, UnaryOperator<List<Entry>> change) {
    logs.put(id, change);
  }

  void serveMail(RunId id, Mail... messages) {
    mail.put(id, List.of(messages));
  }

  void serveKey(String key, Run holder) {
    keys.put(key, holder);
  }

  private Run served(Run run) {
    return rows.getOrDefault(run.id(), UnaryOperator.identity()).apply(run);
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    return store.commit(commands);
  }

  @Override
  public Optional<Run> run(RunId id) {
    return store.run(id).map(this::served);
  }

  @Override
  public Optional<Run> runByKey(String key) {
    return Optional.ofNullable(keys.get(key)).or(() -> store.runByKey(key)).map(this::served);
  }

  @Override
  public List<Run> list(Query query) {
    return store.list(query).stream().map(this::served).toList();
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    List<Entry> all = store.log(id, 0, Integer.MAX_VALUE);
    return logs.getOrDefault(id, UnaryOperator.identity()).apply(all).stream()
        .filter(entry -> entry.seq() > after)
        .limit(limit)
        .toList();
  }

  @Override
  public List<Mail> mail(RunId id) {
    return mail.containsKey(id) ? mail.get(id) : store.mail(id);
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) {
    return store.emitted(message);
  }

  @Override
  public List<Count> counts() {
    return store.counts();
  }

  @Override
  public List<TypeState> types() {
    return store.types();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public Listening listen(Consumer<Hint> listener) {
    return store.listen(listener);
  }

  @Override
  public Optional<Class<?>> transactionResource() {
    return store.transactionResource();
  }

  @Override
  public String durability() {
    return store.durability();
  }

  @Override
  public void close() {
    store.close();
  }
}
