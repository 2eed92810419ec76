package dev.pawl.store.sql;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement whose parameters are given one after the other, and which is then run. It is
 * ready for the next use as soon as it has run. Not thread-safe, like the connection it belongs to.
 */
public final class Prepared implements AutoCloseable {
  /** Makes a value of one row. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(Row row) throws SQLException;
  }

  /**
   * Counts the writes of a connection, so that one can tell whether anything was written in
   * between.
   */
  public static final class Tally {
    private long writes;

    public long writes() {
      return writes;
    }

    /** Counts a write that is still to come. */
    public void count() {
      writes++;
    }
  }

  private final PreparedStatement statement;
  private final UuidForm uuids;
  private final Tally tally;
  private int given;

  public Prepared(PreparedStatement statement, UuidForm uuids, Tally tally) {
    this.statement = statement;
    this.uuids = uuids;
    this.tally = tally;
  }

  /** Forgets parameters that were given for a use that never came. */
  public Prepared afresh() {
    given = 0;
    return this;
  }

  public Prepared with(long value) throws SQLException {
    statement.setLong(++given, value);
    return this;
  }

  public Prepared with(boolean value) throws SQLException {
    return with(value ? 1 : 0);
  }

  public Prepared with(@Nullable String value) throws SQLException {
    statement.setString(++given, value);
    return this;
  }

  public Prepared with(byte[] value) throws SQLException {
    statement.setBytes(++given, value);
    return this;
  }

  public Prepared with(UUID value) throws SQLException {
    uuids.bind(statement, ++given, value);
    return this;
  }

  public Prepared with(Instant value) throws SQLException {
    return with(value.toEpochMilli());
  }

  public Prepared withNull() throws SQLException {
    statement.setObject(++given, null);
    return this;
  }

  public Prepared withText(Optional<String> value) throws SQLException {
    return value.isPresent() ? with(value.get()) : withNull();
  }

  public Prepared withInstant(Optional<Instant> value) throws SQLException {
    return value.isPresent() ? with(value.get()) : withNull();
  }

  /** A length in milliseconds. */
  public Prepared withDuration(Optional<Duration> value) throws SQLException {
    return value.isPresent() ? with(value.get().toMillis()) : withNull();
  }

  public Prepared withUuid(Optional<UUID> value) throws SQLException {
    return value.isPresent() ? with(value.get()) : withNull();
  }

  /** Runs a statement that writes; returns how many rows it changed. */
  public int write() throws SQLException {
    given = 0;
    tally.count();
    return statement.executeUpdate();
  }

  /** Runs a statement that neither reads nor writes rows. */
  public void perform() throws SQLException {
    given = 0;
    statement.execute();
  }

  public <T> Optional<T> first(Reading<T> reading) throws SQLException {
    given = 0;
    try (ResultSet results = statement.executeQuery()) {
      return results.next() ? Optional.of(reading.read(new Row(results, uuids))) : Optional.empty();
    }
  }

  public <T> List<T> all(Reading<T> reading) throws SQLException {
    given = 0;
    List<T> found = new ArrayList<>();
    try (ResultSet results = statement.executeQuery()) {
      while (results.next()) {
        found.add(reading.read(new Row(results, uuids)));
      }
    }
    return found;
  }

  /** Whether there is any row. */
  public boolean any() throws SQLException {
    given = 0;
    try (ResultSet results = statement.executeQuery()) {
      return results.next();
    }
  }

  /** The number in the first column of the one row; 0 for NULL. */
  public long number() throws SQLException {
    return first(Row::number).orElse(0L);
  }

  @Override
  public void close() throws SQLException {
    statement.close();
  }
}
