package dev.pawl.store.sql.postgres;

import dev.pawl.blob.Blob;
import dev.pawl.blob.BlobReferences;
import dev.pawl.blob.BlobStore;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.sql.blob.BlobTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The tables of blobs. They use the connections that others read with, so that no commit waits for
 * them. Thread-safe.
 */
final class PostgresBlobs implements BlobTables, BlobReferences {
  private static final String TAKEN = "23505";
  private static final int MAX_LOST = 3;

  /** What to do with a connection. */
  private interface Use<T> {
    T apply(Session session) throws SQLException;
  }

  private final Database database;

  /** Asked before a connection is taken: it may need one itself. */
  private final Supplier<Instant> clock;

  PostgresBlobs(Database database, Supplier<Instant> clock) {
    this.database = database;
    this.clock = clock;
  }

  // ---- content ----

  @Override
  public long append(long content, int chunk, byte[] bytes) {
    Instant now = clock.get();
    return write(session -> append(session, content, chunk, bytes, now));
  }

  private static long append(Session session, long content, int chunk, byte[] bytes, Instant now)
      throws SQLException {
    long number =
        content != NEW
            ? content
            : session.first("new-blob", to -> to.moment(now), Cells::number).orElseThrow();
    boolean there =
        content == NEW || session.write("touch-blob", to -> to.moment(now).number(content)) > 0;
    if (!there) {
      throw BlobTables.tooSlow();
    }
    session.write("add-chunk", to -> to.number(number).number(chunk).bytes(bytes));
    return number;
  }

  @Override
  public void finish(long content, int chunk, byte[] bytes, String hash, long length) {
    if (isKnown(content, hash)) {
      return;
    }
    Instant now = clock.get();
    try {
      long unused =
          write(session -> {
            long number = append(session, content, chunk, bytes, now);
            return session.write(
                "finish-blob", to -> to.text(hash).number(length).moment(now).number(number));
          });
    } catch (PawlException e) {
      boolean taken =
          e.getCause() instanceof SQLException cause && TAKEN.equals(cause.getSQLState());
      if (!taken || !isKnown(content, hash)) {
        throw e;
      }
    }
  }

  /** Whether the content is there already; then it counts as written now, and the other goes. */
  private boolean isKnown(long content, String hash) {
    Instant now = clock.get();
    return write(session -> {
      boolean known = session.write("touch-known-blob", to -> to.moment(now).text(hash)) > 0;
      if (known && content != NEW) {
        session.write("drop-blob", to -> to.number(content));
      }
      return known;
    });
  }

  @Override
  public void drop(long content) {
    long unused = write(session -> session.write("drop-blob", to -> to.number(content)));
  }

  @Override
  public Optional<Whole> find(String hash) {
    return read(session ->
        session.first(
            "find-blob", to -> to.text(hash), cells -> new Whole(cells.number(), cells.number())));
  }

  @Override
  public Optional<byte[]> chunk(long content, int chunk) {
    return read(session ->
        session.first("read-chunk", to -> to.number(content).number(chunk), Cells::bytes));
  }

  @Override
  public boolean delete(String hash, Instant writtenBefore) {
    return write(
        session -> session.write("delete-blob", to -> to.text(hash).moment(writtenBefore)) > 0);
  }

  @Override
  public List<BlobStore.Kept> list(String after, Instant writtenBefore, int limit) {
    return read(session ->
        session.all(
            "list-blobs",
            to -> to.text(after).moment(writtenBefore).number(limit),
            cells -> new BlobStore.Kept(new Blob(cells.text(), cells.number()), cells.instant())));
  }

  @Override
  public void dropUnfinished(Instant begunBefore) {
    long unused =
        write(session -> session.write("drop-unfinished-blobs", to -> to.moment(begunBefore)));
  }

  // ---- references ----

  @Override
  public void add(RunId run, Collection<String> hashes) {
    long unused =
        write(session ->
            session.write("refer", to -> to.uuid(run.uuid()).texts(List.copyOf(hashes))));
  }

  @Override
  public Set<String> held(Collection<String> hashes) {
    List<String> asked = List.copyOf(hashes);
    return write(session -> {
      session.write("forget-references", to -> to.texts(asked));
      return new HashSet<>(session.all("referred", to -> to.texts(asked), Cells::text));
    });
  }

  // ---- connections ----

  private <T> T read(Use<T> use) {
    for (int tries = 1; ; tries++) {
      try (Connection connection = database.reader()) {
        return use.apply(new Session(connection));
      } catch (SQLException e) {
        if (!Diagnosis.isLost(e) || tries == MAX_LOST) {
          throw Diagnosis.of(e, database.where());
        }
      }
    }
  }

  /**
   * A transaction. If its commit ends unknown, what it wrote is content that nobody found, or a
   * reference more than there need be: the caller fails, and nothing is wrong.
   */
  private <T> T write(Use<T> use) {
    try (Connection connection = database.reader()) {
      connection.setAutoCommit(false);
      try {
        T result = use.apply(new Session(connection));
        connection.commit();
        return result;
      } catch (SQLException | RuntimeException e) {
        connection.rollback();
        throw e;
      } finally {
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw Diagnosis.of(e, database.where());
    }
  }
}
