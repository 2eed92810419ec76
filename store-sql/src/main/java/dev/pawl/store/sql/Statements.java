package dev.pawl.store.sql;

import dev.pawl.error.PawlException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * SQL statements by name, from {@code .sql} files on the class path. A statement is what follows a
 * line {@code -- name: xyz}, up to the next; comments are dropped; {@code {{abc}}} stands for the
 * text of the statement {@code abc}. Immutable.
 */
public final class Statements {
  private static final String HEADER = "-- name:";
  private static final Pattern REFERENCE = Pattern.compile("\\{\\{([a-z-]+)}}");

  private final Map<String, String> texts;

  private Statements(Map<String, String> texts) {
    this.texts = texts;
  }

  /** Reads the files, which lie beside the class. */
  public static Statements read(Class<?> beside, String... files) {
    Map<String, StringBuilder> found = new HashMap<>();
    for (String file : files) {
      collect(file, resource(beside, file), found);
    }
    Map<String, String> texts = new HashMap<>();
    found.forEach((name, text) -> texts.put(name, text.toString().strip()));
    Map<String, String> whole = new HashMap<>();
    texts.keySet().forEach(name -> whole.put(name, whole(name, texts)));
    return new Statements(whole);
  }

  private static String whole(String name, Map<String, String> texts) {
    @Nullable String text = texts.get(name);
    if (text == null) {
      throw PawlException.internal("there is no SQL statement named '" + name + "'");
    }
    return REFERENCE
        .matcher(text)
        .replaceAll(use -> Matcher.quoteReplacement(whole(use.group(1), texts)));
  }

  private static void collect(String file, String content, Map<String, StringBuilder> found) {
    @Nullable StringBuilder current = null;
    for (String line : content.lines().toList()) {
      if (line.startsWith(HEADER)) {
        String name = line.substring(HEADER.length()).strip();
        current = new StringBuilder();
        if (found.put(name, current) != null) {
          throw PawlException.internal(
              "two statements are named '" + name + "', the second in " + file);
        }
      } else if (current != null && !line.startsWith("--")) {
        current.append(line).append('\n');
      }
    }
  }

  /** The text of a statement. */
  public String text(String name) {
    @Nullable String text = texts.get(name);
    if (text == null) {
      throw PawlException.internal("there is no SQL statement named '" + name + "'");
    }
    return text;
  }

  /** The names of the statements in which a word stands. */
  public Set<String> mentioning(String word) {
    return texts.entrySet().stream()
        .filter(statement -> statement.getValue().contains(word))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The content of a file beside a class. */
  static String resource(Class<?> beside, String file) {
    try (@Nullable InputStream in = beside.getResourceAsStream(file)) {
      if (in == null) {
        throw PawlException.internal(beside.getPackageName() + " lacks its resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
