package dev.pawl.store.sql.postgres;

import dev.pawl.blob.Blobs;
import dev.pawl.error.PawlException;
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
import dev.pawl.store.sql.blob.ChunkedBlobs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in a Postgres database, which any number of processes may open. Several commits may be
 * under way at once; each is a transaction on a connection of its own. Thread-safe.
 *
 * <p>A {@link Command.Transact} gets that transaction's {@link Connection}. Its body keeps the
 * other commands of the same commit waiting, and nobody else.
 */
public final class PostgresStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);

  private final PostgresOptions options;
  private final Database database;
  private final Readers readers;
  private final StoreClock clock;
  private final Writer writer;
  private final List<Consumer<Hint>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Optional<Notices> notices;
  private final Blobs blobs;

  private PostgresStore(PostgresAddress address) {
    this.options = address.options();
    this.database = new Database(address);
    this.readers = new Readers(database);
    this.clock = new StoreClock(address.options().clock(), readers::now);
    this.notices =
        address.options().hints()
            ? Optional.of(new Notices(database, this::tell))
            : Optional.empty();
    this.writer = new Writer(database, address.options(), clock, this::tell, notices);
    PostgresBlobs tables = new PostgresBlobs(database, clock::now);
    this.blobs = new Blobs(new ChunkedBlobs(tables, "the store " + database.where()), tables);
  }

  /**
   * Opens the store in a database, and makes its schema if it is not there. Tables of others are
   * left alone.
   *
   * @param url {@code postgres://user:password@host:port,host2:port2/database?option=value}; what
   *     its options say goes before {@code options}
   * @throws dev.pawl.error.PawlException with {@code NOT_A_STORE}, {@code STORE_TOO_NEW}, {@code
   *     STORE_READ_ONLY}, {@code STORE_UNAVAILABLE} or {@code BAD_INPUT}
   */
  public static PostgresStore open(String url, PostgresOptions options) {
    PostgresAddress address = PostgresAddress.parse(url, options);
    PostgresStore store = new PostgresStore(address);
    try {
      store.prepare();
      return store;
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /**
   * The SQL that opening the store would execute to make or update its schema, for those whose
   * administrator does it; empty if nothing is missing.
   */
  public static String missingSchema(String url) {
    PostgresAddress address = PostgresAddress.parse(url, PostgresOptions.defaults());
    try (Database database = new Database(address);
        Connection connection = database.single()) {
      return Schema.script(connection, database.where());
    } catch (SQLException e) {
      throw Diagnosis.of(e, address.where());
    }
  }

  private void prepare() {
    try (Connection connection = database.single()) {
      Schema.prepare(connection, database.where());
    } catch (SQLException e) {
      throw Diagnosis.of(e, database.where());
    }
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    checkOpen();
    return commands.isEmpty() ? List.of() : writer.commit(commands);
  }

  @Override
  public Optional<Run> run(RunId id) {
    checkOpen();
    return readers.run(id);
  }

  @Override
  public Optional<Run> runByKey(String key) {
    checkOpen();
    return readers.runByKey(key);
  }

  @Override
  public List<Run> list(Query query) {
    checkOpen();
    return readers.list(query);
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    checkOpen();
    return readers.log(id, after, limit);
  }

  @Override
  public Map<RunId, List<Entry>> logs(Collection<RunId> ids, int last) {
    return readers.logs(ids, last);
  }

  @Override
  public List<Mail> mail(RunId id) {
    checkOpen();
    return readers.mail(id);
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) {
    checkOpen();
    return readers.emitted(message);
  }

  @Override
  public List<Count> counts() {
    checkOpen();
    return readers.counts();
  }

  @Override
  public List<TypeState> types() {
    checkOpen();
    return readers.types();
  }

  @Override
  public Optional<Definition> definition(String hash) {
    checkOpen();
    return readers.definition(hash);
  }

  @Override
  public Optional<Definition> newestDefinition(String type) {
    checkOpen();
    return readers.newestDefinition(type);
  }

  @Override
  public List<Definition> definitions(String type) {
    checkOpen();
    return readers.definitions(type);
  }

  @Override
  public List<String> definedTypes() {
    checkOpen();
    return readers.definedTypes();
  }

  @Override
  public int lanes() {
    return options.lanes();
  }

  @Override
  public Instant now() {
    checkOpen();
    return clock.now();
  }

  @Override
  public Listening listen(Consumer<Hint> listener) {
    checkOpen();
    listeners.add(listener);
    notices.ifPresent(Notices::listen);
    return () -> listeners.remove(listener);
  }

  private void tell(Hint hint, Optional<RunId> due) {
    if (hint instanceof Hint.Claimable) {
      due.ifPresentOrElse(writer::expect, writer::expect);
    } else if (!(hint instanceof Hint.Finished)) {
      writer.expectOthers();
    }
    for (Consumer<Hint> listener : listeners) {
      try {
        listener.accept(hint);
      } catch (RuntimeException e) {
        LOG.warn("a listener of the store {} failed on {}", database.where(), hint, e);
      }
    }
  }

  @Override
  public Optional<Class<?>> transactionResource() {
    return Optional.of(Connection.class);
  }

  @Override
  public Outcome startIn(Object transaction, NewRun run) {
    checkOpen();
    if (!(transaction instanceof Connection connection)) {
      throw PawlException.unsupported(
          "a run was to be started in a transaction of "
              + transaction.getClass().getName()
              + "; this store works with java.sql.Connection");
    }
    try {
      return new CallersTransaction(connection)
          .start(run, clock.given(), readers.since(), database.where());
    } catch (SQLException e) {
      throw Diagnosis.of(e, database.where());
    }
  }

  @Override
  public Blobs blobs() {
    checkOpen();
    return blobs;
  }

  @Override
  public boolean replaceRow(Run before, Run after) {
    checkOpen();
    return RowRepair.replace(database, before, after);
  }

  @Override
  public String durability() {
    checkOpen();
    return Durability.of(
        readers.setting("fsync"),
        readers.setting("synchronous_commit"),
        readers.setting("synchronous_standby_names"));
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      notices.ifPresent(Notices::close);
      database.close();
      listeners.clear();
    }
  }

  private void checkOpen() {
    if (closed.get()) {
      throw Writer.closed(database.where());
    }
  }
}
