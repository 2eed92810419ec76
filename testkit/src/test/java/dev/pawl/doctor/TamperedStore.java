package dev.pawl.doctor;

import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.testkit.ForwardingStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A store whose rows, logs and mailboxes can be served other than they are. Not thread-safe. */
final class TamperedStore extends ForwardingStore {
  private final Map<RunId, UnaryOperator<Run>> rows = new HashMap<>();
  private final Map<RunId, UnaryOperator<List<Entry>>> logs = new HashMap<>();
  private final Map<RunId, List<Mail>> mail = new HashMap<>();
  private final Map<String, Run> keys = new HashMap<>();

  TamperedStore(Store store) {
    super(store);
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
  public Optional<Run> run(RunId id) {
    return super.run(id).map(this::served);
  }

  @Override
  public Optional<Run> runByKey(String key) {
    return Optional.ofNullable(keys.get(key)).or(() -> super.runByKey(key)).map(this::served);
  }

  @Override
  public List<Run> list(Query query) {
    return super.list(query).stream().map(this::served).toList();
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    List<Entry> all = super.log(id, 0, Integer.MAX_VALUE);
    return logs.getOrDefault(id, UnaryOperator.identity()).apply(all).stream()
        .filter(entry -> entry.seq() > after)
        .limit(limit)
        .toList();
  }

  @Override
  public List<Mail> mail(RunId id) {
    return mail.containsKey(id) ? mail.get(id) : super.mail(id);
  }
}
