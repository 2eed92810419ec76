package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One row of a result: each call reads the next column. */
final class Cells {
  /** Makes a value of one row. */
  @FunctionalInterface
  interface Reading<T> {
    T read(Cells cells) throws SQLException;
  }

  private static final long HALF_MILLI_NANOS = 500_000;

  private final ResultSet results;
  private int read;

  Cells(ResultSet results) {
    this.results = results;
  }

  /** Begins with the first column again: of the next row. */
  Cells next() {
    read = 0;
    return this;
  }

  long number() throws SQLException {
    return results.getLong(++read);
  }

  int integer() throws SQLException {
    return results.getInt(++read);
  }

  boolean flag() throws SQLException {
    return results.getBoolean(++read);
  }

  String text() throws SQLException {
    return present(results.getString(++read));
  }

  Optional<String> optionalText() throws SQLException {
    return Optional.ofNullable(results.getString(++read));
  }

  byte[] bytes() throws SQLException {
    return present(results.getBytes(++read));
  }

  UUID uuid() throws SQLException {
    return present(results.getObject(++read, UUID.class));
  }

  Optional<UUID> optionalUuid() throws SQLException {
    return Optional.ofNullable(results.getObject(++read, UUID.class));
  }

  Instant instant() throws SQLException {
    return millis(present(results.getObject(++read, OffsetDateTime.class)));
  }

  Optional<Instant> optionalInstant() throws SQLException {
    return Optional.ofNullable(results.getObject(++read, OffsetDateTime.class)).map(Cells::millis);
  }

  /** A length in milliseconds. */
  Optional<Duration> optionalDuration() throws SQLException {
    long millis = number();
    return millis == 0 && results.wasNull()
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(millis));
  }

  @Nullable Object[] array() throws SQLException {
    return (Object[]) present(results.getArray(++read)).getArray();
  }

  /** To the nearest: others write microseconds, and moments far off are not exact to one. */
  private static Instant millis(OffsetDateTime moment) {
    return moment.toInstant().plusNanos(HALF_MILLI_NANOS).truncatedTo(ChronoUnit.MILLIS);
  }

  private <T> T present(@Nullable T value) {
    if (value == null) {
      throw PawlException.internal("a column that must not be null is: number " + read);
    }
    return value;
  }
}
