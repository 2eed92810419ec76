package dev.pawl.store.sql;

import dev.pawl.error.PawlException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One row of a result: each call reads the next column. */
public final class Row {
  private final ResultSet results;
  private final UuidForm uuids;
  private int read;

  Row(ResultSet results, UuidForm uuids) {
    this.results = results;
    this.uuids = uuids;
  }

  public long number() throws SQLException {
    return results.getLong(++read);
  }

  public int integer() throws SQLException {
    return results.getInt(++read);
  }

  public boolean flag() throws SQLException {
    return number() != 0;
  }

  public Instant instant() throws SQLException {
    return Instant.ofEpochMilli(number());
  }

  public Optional<Instant> optionalInstant() throws SQLException {
    long millis = number();
    return millis == 0 && results.wasNull()
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** A length in milliseconds. */
  public Optional<Duration> optionalDuration() throws SQLException {
    long millis = number();
    return millis == 0 && results.wasNull()
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(millis));
  }

  public byte[] bytes() throws SQLException {
    byte @Nullable [] bytes = results.getBytes(++read);
    if (bytes == null) {
      throw PawlException.internal("a column that must not be null is: number " + read);
    }
    return bytes;
  }

  public String text() throws SQLException {
    @Nullable String text = results.getString(++read);
    if (text == null) {
      throw PawlException.internal("a column that must not be null is: number " + read);
    }
    return text;
  }

  public Optional<String> optionalText() throws SQLException {
    return Optional.ofNullable(results.getString(++read));
  }

  public UUID uuid() throws SQLException {
    return optionalUuid()
        .orElseThrow(
            () -> PawlException.internal("a column that must hold a UUID is null: number " + read));
  }

  public Optional<UUID> optionalUuid() throws SQLException {
    return Optional.ofNullable(uuids.read(results, ++read));
  }
}
