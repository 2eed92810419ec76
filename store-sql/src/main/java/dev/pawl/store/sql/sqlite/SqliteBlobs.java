package dev.pawl.store.sql.sqlite;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobReferences;
import dev.pawl.blob.BlobStore;
import dev.pawl.log.RunId;
import dev.pawl.store.sql.blob.BlobTables;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of blobs. Writes take turns with the store's own on its one writing place, each on a
 * connection of its own, so that neither waits for the other's lock; reads have a thread of their
 * own. Thread-safe.
 */
final class SqliteBlobs implements BlobTables, BlobReferences {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteBlobs.class);

  /** What to do with a connection. */
  private interface Use<T> {
    T apply(Session session) throws SQLException;
  }

  private final Path file;
  private final SqliteOptions options;
  private final Supplier<Instant> clock;
  private final Threads writing;
  private final Threads reading;
  private @Nullable Session writer;
  private @Nullable Session reader;

  SqliteBlobs(Path file, SqliteOptions options, Supplier<Instant> clock, Threads writing) {
    this.file = file;
    this.options = options;
    this.clock = clock;
    this.writing = writing;
    this.reading = new Threads("pawl-sqlite-blobs", 1, () -> Writer.closed(file));
  }

  // ---- content ----

  @Override
  public long append(long content, int chunk, byte[] bytes) {
    return write(session -> append(session, content, chunk, bytes));
  }

  private long append(Session session, long content, int chunk, byte[] bytes) throws SQLException {
    long number = content;
    if (content == NEW) {
      number = session.sql("new-blob").with(clock.get()).number();
    } else if (session.sql("touch-blob").with(clock.get()).with(content).write() == 0) {
      throw BlobTables.tooSlow();
    }
    session.sql("add-chunk").with(number).with(chunk).with(bytes).write();
    return number;
  }

  @Override
  public void finish(long content, int chunk, byte[] bytes, String hash, long length) {
    boolean unused =
        write(session -> {
          long known = session.sql("find-blob").with(hash).number();
          if (known != 0) {
            session.sql("touch-blob").with(clock.get()).with(known).write();
            return content == NEW || drop(session, content);
          }
          long number = append(session, content, chunk, bytes);
          session.sql("finish-blob").with(hash).with(length).with(clock.get()).with(number).write();
          return true;
        });
  }

  @Override
  public void drop(long content) {
    boolean unused = write(session -> drop(session, content));
  }

  private static boolean drop(Session session, long content) throws SQLException {
    session.sql("drop-chunks").with(content).write();
    return session.sql("drop-blob").with(content).write() > 0;
  }

  @Override
  public Optional<Whole> find(String hash) {
    return read(session ->
        session.sql("find-blob").with(hash).first(row -> new Whole(row.number(), row.number())));
  }

  @Override
  public Optional<byte[]> chunk(long content, int chunk) {
    return read(
        session -> session.sql("read-chunk").with(content).with(chunk).first(row -> row.bytes()));
  }

  @Override
  public boolean delete(String hash, Instant writtenBefore) {
    return write(session -> {
      long old = session.sql("old-blob").with(hash).with(writtenBefore).number();
      return old != 0 && drop(session, old);
    });
  }

  @Override
  public List<BlobStore.Kept> list(String after, Instant writtenBefore, int limit) {
    return read(session ->
        session
            .sql("list-blobs")
            .with(after)
            .with(writtenBefore)
            .with(limit)
            .all(row -> new BlobStore.Kept(new Blob(row.text(), row.number()), row.instant())));
  }

  @Override
  public void dropUnfinished(Instant begunBefore) {
    List<Long> unfinished =
        read(session -> session.sql("unfinished-blobs").with(begunBefore).all(row -> row.number()));
    unfinished.forEach(this::drop);
  }

  // ---- references ----

  @Override
  public void add(RunId run, Collection<String> hashes) {
    int unused =
        write(session -> {
          for (String hash : hashes) {
            session.sql("refer").with(hash).with(run.uuid()).write();
          }
          return hashes.size();
        });
  }

  @Override
  public Set<String> held(Collection<String> hashes) {
    return write(session -> {
      Set<String> held = new HashSet<>();
      for (String hash : hashes) {
        session.sql("forget-references").with(hash).write();
        if (session.sql("is-referred").with(hash).any()) {
          held.add(hash);
        }
      }
      return held;
    });
  }

  // ---- connections ----

  private <T> T write(Use<T> use) {
    return writing.call(() -> {
      try {
        Session open = writer == null ? open(Session.Role.BLOBS) : writer;
        writer = open;
        open.sql("begin").perform();
        T result = use.apply(open);
        open.sql("commit").perform();
        return result;
      } catch (SQLException | RuntimeException e) {
        // What is left of a transaction goes with its connection.
        close(writer);
        writer = null;
        throw e instanceof SQLException problem ? Diagnosis.of(problem, file) : e;
      }
    });
  }

  private <T> T read(Use<T> use) {
    return reading.call(() -> {
      try {
        Session open = reader == null ? open(Session.Role.READER) : reader;
        reader = open;
        return use.apply(open);
      } catch (SQLException e) {
        close(reader);
        reader = null;
        throw Diagnosis.of(e, file);
      }
    });
  }

  private Session open(Session.Role role) throws SQLException {
    return Session.open(file, role, options);
  }

  /** Closes what reads. Nobody reads any more afterwards. */
  void closeReading() {
    reading.close(() -> close(reader));
  }

  /** Closes what writes; on the writing place itself. */
  void closeWriting() {
    close(writer);
  }

  private static void close(@Nullable Session session) {
    try {
      if (session != null) {
        session.close();
      }
    } catch (SQLException e) {
      LOG.debug("a connection for blobs did not close cleanly", e);
    }
  }
}
