package dev.pawl.script;

import dev.pawl.time.Chance;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Numbers and ids by chance: the same ones for the same seed. Not thread-safe. */
final class Draw {
  private final UUID seed;
  private final Chance chance;
  private int ids;

  Draw(UUID seed) {
    this.seed = seed;
    this.chance = Chance.seeded(seed.getMostSignificantBits() ^ seed.getLeastSignificantBits());
  }

  double random() {
    return chance.next();
  }

  /** An id that no other seed gives, and that nobody can guess who does not know the seed. */
  String uuid() {
    ByteBuffer name = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES);
    name.putLong(seed.getMostSignificantBits());
    name.putLong(seed.getLeastSignificantBits());
    name.putInt(ids++);
    return UUID.nameUUIDFromBytes(name.array()).toString();
  }
}
