package dev.pawl.store.sql.sqlite;

import dev.pawl.blob.Blobs;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.Definition;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.Store;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.blob.ChunkedBlobs;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
 * A store in a SQLite file, which several processes may open at once. One thread of each writes, a
 * batch of commands to a transaction; two read. Thread-safe.
 *
 * <p>A {@link Command.Transact} gets the writer's own {@link Connection} and runs on the store's
 * only writing thread: nothing else is committed meanwhile, here or in another process, so its body
 * should be short, and must not call the store.
 */
public final class SqliteStore implements Store {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteStore.class);

  private final Path file;
  private final SqliteOptions options;
  private final List<Consumer<Hint>> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Checkpoints checkpoints;
  private final Writer writer;
  private final Threads writing;
  private final Readers readers;
  private final Watcher watcher;
  private final SqliteBlobs blobTables;
  private final Blobs blobs;

  private SqliteStore(Path file, SqliteOptions options) {
    this.file = file;
    this.options = options;
    this.checkpoints = new Checkpoints(file, options);
    this.writer = new Writer(file, options, this::now, this::tell, checkpoints);
    this.writing = new Threads("pawl-sqlite-writer", 1, () -> Writer.closed(file));
    this.readers = new Readers(file, options);
    this.watcher = new Watcher(file, options, () -> writing.start(writer::lookForOthers));
    this.blobTables = new SqliteBlobs(file, options, this::now, writing);
    this.blobs = new Blobs(new ChunkedBlobs(blobTables, "the store " + file), blobTables);
  }

  /**
   * Opens the store in a file, and makes file and tables if they are not there. Tables of others in
   * the same file are left alone.
   *
   * @throws dev.pawl.error.PawlException with {@code NOT_A_STORE}, {@code STORE_TOO_NEW}, {@code
   *     STORE_READ_ONLY} or {@code STORE_UNAVAILABLE}
   */
  public static SqliteStore open(Path file, SqliteOptions options) {
    SqliteStore store = new SqliteStore(file, options);
    try {
      store.onWriter(store::prepare);
      return store;
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  private void prepare() {
    try {
      Schema.prepare(file, options, now());
    } catch (SQLException e) {
      throw Diagnosis.of(e, file);
    }
    writer.open();
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    return commands.isEmpty() ? List.of() : writing.call(() -> writer.commit(commands));
  }

  @Override
  public Optional<Run> run(RunId id) {
    return readers.run(id);
  }

  @Override
  public Optional<Run> runByKey(String key) {
    return readers.runByKey(key);
  }

  @Override
  public List<Run> list(Query query) {
    return readers.list(query);
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    return readers.log(id, after, limit);
  }

  @Override
  public Map<RunId, List<Entry>> logs(Collection<RunId> ids, int last) {
    return readers.logs(ids, last);
  }

  @Override
  public List<Mail> mail(RunId id) {
    return readers.mail(id);
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) {
    return readers.emitted(message);
  }

  @Override
  public List<Count> counts() {
    return readers.counts();
  }

  @Override
  public List<TypeState> types() {
    return readers.types();
  }

  @Override
  public Optional<Definition> definition(String hash) {
    return readers.definition(hash);
  }

  @Override
  public Optional<Definition> newestDefinition(String type) {
    return readers.newestDefinition(type);
  }

  @Override
  public List<Definition> definitions(String type) {
    return readers.definitions(type);
  }

  @Override
  public List<String> definedTypes() {
    return readers.definedTypes();
  }

  @Override
  public Instant now() {
    return options.clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }

  @Override
  public Listening listen(Consumer<Hint> listener) {
    if (closed.get()) {
      throw Writer.closed(file);
    }
    listeners.add(listener);
    watcher.listeners(listeners.size());
    return () -> {
      listeners.remove(listener);
      watcher.listeners(listeners.size());
    };
  }

  private void tell(Hint hint) {
    for (Consumer<Hint> listener : listeners) {
      try {
        listener.accept(hint);
      } catch (RuntimeException e) {
        LOG.warn("a listener of the store {} failed on {}", file, hint, e);
      }
    }
  }

  @Override
  public Optional<Class<?>> transactionResource() {
    return Optional.of(Connection.class);
  }

  @Override
  public Blobs blobs() {
    return blobs;
  }

  @Override
  public boolean replaceRow(Run before, Run after) {
    return writing.call(() -> RowRepair.replace(file, options, before, after));
  }

  @Override
  public String durability() {
    return "sqlite " + options.synchronous() + ": " + options.synchronous().promise();
  }

  /** Lets the running transaction end, and closes the file. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      watcher.close();
      readers.close();
      blobTables.closeReading();
      checkpoints.close();
      writing.close(() -> {
        blobTables.closeWriting();
        writer.close();
      });
      listeners.clear();
    }
  }

  private void onWriter(Runnable work) {
    writing.call(() -> {
      work.run();
      return true;
    });
  }
}
