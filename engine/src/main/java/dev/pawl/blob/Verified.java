package dev.pawl.blob;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The content of a blob, checked while it is read. Its last bytes are given out only if everything
 * up to them adds up to the hash and nothing follows.
 */
public final class Verified extends InputStream {
  private final InputStream in;
  private final Blob blob;
  private final String where;
  private final MessageDigest digest = digest();
  private long read;
  private boolean sound;

  /**
   * Content that should be this blob.
   *
   * @param where the store it comes from, for people
   */
  public Verified(InputStream in, Blob blob, String where) {
    this.in = in;
    this.blob = blob;
    this.where = where;
  }

  /** A new SHA-256. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw PawlException.internal("this Java has no SHA-256");
    }
  }

  /** The hash that a digest has come to; it begins anew. */
  public static String hash(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (read == blob.length()) {
      checkEnd();
      return -1;
    }
    int count = in.read(bytes, offset, (int) Math.min(length, blob.length() - read));
    if (count < 0) {
      throw corrupt("it ends after " + read + " of " + blob.length() + " bytes");
    }
    digest.update(bytes, offset, count);
    read += count;
    if (read == blob.length()) {
      checkEnd();
    }
    return count;
  }

  private void checkEnd() throws IOException {
    if (sound) {
      return;
    }
    if (in.read() >= 0) {
      throw corrupt("it goes on after its " + blob.length() + " bytes");
    }
    String found = hash(digest);
    if (!found.equals(blob.sha256())) {
      throw corrupt("its content has the hash " + found);
    }
    sound = true;
  }

  private PawlException corrupt(String how) {
    return new PawlException(
        ErrorCode.CORRUPT,
        "the blob "
            + blob.sha256()
            + " in "
            + where
            + " is not what was written: "
            + how
            + "; bring it back from a backup, or have the node that made it executed again (pawl"
            + " rewind)");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
