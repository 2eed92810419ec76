package dev.pawl.log;

import dev.pawl.error.PawlException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The identity of a run: a UUID that sorts by the time the run was recorded. */
public record RunId(UUID uuid) implements Comparable<RunId> {

  public static RunId parse(String text) {
    try {
      if (text.length() == 36) {
        return new RunId(UUID.fromString(text));
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the one message for every text that is not an id.
    }
    throw PawlException.badInput(
        "'"
            + text
            + "' is not a run id; one looks like 0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55 ('pawl ls'"
            + " lists them)");
  }

  /** The order of creation: unsigned, as the text sorts. */
  @Override
  public int compareTo(RunId other) {
    int high =
        Long.compareUnsigned(uuid.getMostSignificantBits(), other.uuid.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(
            uuid.getLeastSignificantBits(), other.uuid.getLeastSignificantBits());
  }

  /** Written out, because ids are the keys of most maps, and what a record is given is slower. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RunId id && id.uuid.equals(uuid);
  }

  @Override
  public int hashCode() {
    return uuid.hashCode();
  }

  @Override
  public String toString() {
    return uuid.toString();
  }
}
