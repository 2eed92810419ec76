package dev.pawl.store.sql.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Arrays in the form in which Postgres itself keeps and sends them. The driver has it for some
 * types and writes the others, UUIDs among them, as text, which costs both sides the more.
 */
final class BinaryArray {
  /** What an array is of: its name, its number among the types, and that of the array. */
  enum Element {
    UUID("uuid", Oid.UUID, Oid.UUID_ARRAY),
    TEXT("text", Oid.TEXT, Oid.TEXT_ARRAY),
    NUMBER("int8", Oid.INT8, Oid.INT8_ARRAY),
    FLAG("bool", Oid.BOOL, Oid.BOOL_ARRAY);

    final String type;
    private final int oid;
    private final int arrayOid;

    Element(String type, int oid, int arrayOid) {
      this.type = type;
      this.oid = oid;
      this.arrayOid = arrayOid;
    }
  }

  /** One dimension, whose first index is 1. */
  private static final int HEADER_BYTES = 5 * Integer.BYTES;

  private static final int ABSENT = -1;

  private BinaryArray() {}

  /** An array to be given to the driver, of values of its element's kind in Java. */
  static Array of(BaseConnection connection, Element element, @Nullable Object[] values)
      throws SQLException {
    byte[] bytes = element == Element.TEXT ? texts(values) : fixed(element, values);
    return new PgArray(connection, element.arrayOid, bytes);
  }

  private static byte[] fixed(Element element, @Nullable Object[] values) {
    int each = Integer.BYTES + 2 * Long.BYTES;
    ByteBuffer out = begin(element, values, values.length * each);
    for (@Nullable Object value : values) {
      switch (value) {
        case null -> out.putInt(ABSENT);
        case UUID id ->
            out.putInt(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
        case Long number -> out.putInt(Long.BYTES).putLong(number);
        case Boolean flag -> out.putInt(1).put((byte) (flag ? 1 : 0));
        default -> throw new IllegalArgumentException("no " + element.type + ": " + value);
      }
    }
    return written(out);
  }

  private static byte[] texts(@Nullable Object[] values) {
    byte[][] encoded = new byte[values.length][];
    int size = 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof String text) {
        encoded[i] = text.getBytes(StandardCharsets.UTF_8);
        size += encoded[i].length;
      }
    }
    ByteBuffer out = begin(Element.TEXT, values, size + values.length * Integer.BYTES);
    for (byte @Nullable [] text : encoded) {
      if (text == null) {
        out.putInt(ABSENT);
      } else {
        out.putInt(text.length).put(text);
      }
    }
    return written(out);
  }

  private static ByteBuffer begin(Element element, @Nullable Object[] values, int size) {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + size);
    out.putInt(1).putInt(hasAbsent(values) ? 1 : 0).putInt(element.oid);
    return out.putInt(values.length).putInt(1);
  }

  private static boolean hasAbsent(@Nullable Object[] values) {
    for (@Nullable Object value : values) {
      if (value == null) {
        return true;
      }
    }
    return false;
  }

  private static byte[] written(ByteBuffer out) {
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }
}
