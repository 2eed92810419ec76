package dev.pawl.script.lang;

import static dev.pawl.script.lang.SnapshotFormat.*;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;

/** Reads the numbers of a snapshot whose checksum, version and script have been looked at. */
final class SnapshotBytes {
  private final byte[] bytes;
  private final int end;
  private int at = HEADER_BYTES;

  SnapshotBytes(byte[] bytes, String hash) {
    this.bytes = bytes;
    this.end = bytes.length - CHECKSUM_BYTES;
    check(hash);
  }

  private void check(String hash) {
    if (end < HEADER_BYTES || bytes[0] != MAGIC_1 || bytes[1] != MAGIC_2) {
      throw SnapshotException.corrupt("it has " + bytes.length + " bytes and not its beginning");
    }
    if (bytes[2] > VERSION) {
      throw new SnapshotException(
          SnapshotException.Code.SNAPSHOT_TOO_NEW,
          "the snapshot has version "
              + bytes[2]
              + " and this Pawl reads up to "
              + VERSION
              + ": use the Pawl that wrote it, or a newer one");
    }
    CRC32 checksum = new CRC32();
    checksum.update(bytes, 0, end);
    long written = 0;
    for (int i = 0; i < CHECKSUM_BYTES; i++) {
      written |= (bytes[end + i] & 0xFFL) << (8 * i);
    }
    if (checksum.getValue() != written) {
      throw SnapshotException.corrupt("its checksum does not fit");
    }
    String found = HexFormat.of().formatHex(Arrays.copyOfRange(bytes, 3, HEADER_BYTES));
    if (!found.equals(hash)) {
      throw new SnapshotException(
          SnapshotException.Code.SNAPSHOT_OF_ANOTHER_SCRIPT,
          "the snapshot belongs to the script "
              + found
              + ", not to "
              + hash
              + ": give it the text it was taken with");
    }
  }

  /** The hash of the script that a snapshot belongs to, whatever else it holds. */
  static String hashOf(byte[] snapshot) {
    if (snapshot.length < HEADER_BYTES + CHECKSUM_BYTES) {
      throw SnapshotException.corrupt("it has only " + snapshot.length + " bytes");
    }
    return HexFormat.of().formatHex(Arrays.copyOfRange(snapshot, 3, HEADER_BYTES));
  }

  int octet() {
    if (at >= end) {
      throw SnapshotException.corrupt("it ends too early");
    }
    return bytes[at++] & 0xFF;
  }

  long number() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = octet();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw SnapshotException.corrupt("a number is too long");
  }

  /** A number of things that are still to come: each takes at least one byte. */
  int count() {
    long count = number();
    if (count < 0 || count > end - at) {
      throw SnapshotException.corrupt("it says that " + count + " things follow");
    }
    return (int) count;
  }

  int small() {
    long value = number();
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw SnapshotException.corrupt("the number " + value + " is out of range");
    }
    return (int) value;
  }

  long fixed(int octets) {
    long value = 0;
    for (int i = 0; i < octets; i++) {
      value |= (long) octet() << (8 * i);
    }
    return value;
  }

  boolean atEnd() {
    return at == end;
  }
}
