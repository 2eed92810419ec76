package dev.pawl.testkit;

import dev.pawl.blob.Blobs;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Definition;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** A store that passes everything on to another, for a test to change what it wants changed. */
public class ForwardingStore implements Store {
  private final Store store;

  public ForwardingStore(Store store) {
    this.store = store;
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    return store.commit(commands);
  }

  @Override
  public Optional<Run> run(RunId id) {
    return store.run(id);
  }

  @Override
  public Optional<Run> runByKey(String key) {
    return store.runByKey(key);
  }

  @Override
  public List<Run> list(Query query) {
    return store.list(query);
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    return store.log(id, after, limit);
  }

  @Override
  public List<Mail> mail(RunId id) {
    return store.mail(id);
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
  public Optional<Definition> definition(String hash) {
    return store.definition(hash);
  }

  @Override
  public Optional<Definition> newestDefinition(String type) {
    return store.newestDefinition(type);
  }

  @Override
  public List<Definition> definitions(String type) {
    return store.definitions(type);
  }

  @Override
  public List<String> definedTypes() {
    return store.definedTypes();
  }

  @Override
  public int lanes() {
    return store.lanes();
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
  public Outcome startIn(Object transaction, NewRun run) {
    return store.startIn(transaction, run);
  }

  @Override
  public Blobs blobs() {
    return store.blobs();
  }

  @Override
  public boolean replaceRow(Run before, Run after) {
    return store.replaceRow(before, after);
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
