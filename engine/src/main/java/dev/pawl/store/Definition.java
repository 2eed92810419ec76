package dev.pawl.store;

import dev.pawl.log.Names;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The source of a program that is kept in the store, known by the hash of all the rest of it. It
 * never changes; a changed source is another definition of the same type.
 *
 * @param kind what can carry it out, such as {@code script}
 */
public record Definition(String hash, String type, String kind, String source) {
  public Definition {
    Names.checkType(type);
    Names.check("the kind of a definition", kind);
  }

  /** The definition with this content. */
  public static Definition of(String type, String kind, String source) {
    return new Definition(hash(type, kind, source), type, kind, source);
  }

  /** Whether the hash is that of the content. */
  public boolean isSound() {
    return hash.equals(hash(type, kind, source));
  }

  private static String hash(String type, String kind, String source) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : new String[] {kind, type, source}) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
