package dev.pawl.blob;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What one says instead of the content of a blob: its hash and how long it is. As JSON it is {@code
 * {"sha256": "…", "length": 17}}.
 *
 * @param sha256 the SHA-256 of the content, in 64 hexadecimal digits
 * @param length of the content, in bytes
 */
public record Blob(String sha256, long length) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern REFERENCE = Pattern.compile("\"sha256\":\"([0-9a-f]{64})\"");

  public Blob {
    checkHash(sha256);
    if (length < 0) {
      throw PawlException.badInput("the blob " + sha256 + " cannot be " + length + " bytes long");
    }
  }

  /** The hash, if it is one. */
  public static String checkHash(String hash) {
    if (!HASH.matcher(hash).matches()) {
      throw PawlException.badInput(
          "'" + hash + "' is not the hash of a blob; that is a SHA-256 in 64 lower-case digits");
    }
    return hash;
  }

  public Json json() {
    return Json.stored("{\"sha256\":\"" + sha256 + "\",\"length\":" + length + "}");
  }

  /** The hashes of all blobs that a value refers to, wherever in it. */
  public static Set<String> in(Json value) {
    Set<String> found = new LinkedHashSet<>();
    if (value.text().contains("\"sha256\":\"")) {
      REFERENCE.matcher(value.text()).results().forEach(match -> found.add(match.group(1)));
    }
    return found;
  }
}
