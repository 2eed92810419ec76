package dev.pawl.json;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * One valid JSON value as compact text. Control characters and lone surrogates are escaped, so that
 * every text survives every store. Equality is equality of the text. Immutable.
 */
public final class Json {
  /** The longest text that is accepted, in characters. */
  public static final int MAX_CHARS = 32 * 1024 * 1024;

  /** The deepest nesting that is accepted. */
  public static final int MAX_DEPTH = 500;

  public static final Json NULL = new Json("null");
  public static final Json TRUE = new Json("true");
  public static final Json FALSE = new Json("false");
  public static final Json EMPTY_OBJECT = new Json("{}");

  /** The shared streaming factory: strict about duplicate keys, with limits on depth and length. */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_CHARS)
                  .maxDocumentLength(MAX_CHARS + 1024L)
                  .maxNumberLength(1000)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * For texts that Pawl itself wrote, which have passed the limits before. They may be nested
   * deeper than a user's value: a log entry has values inside of it, and must be readable whatever
   * was put there.
   */
  private static final JsonFactory STORED =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
          .build();

  private final String text;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads a text somebody wrote.
   *
   * @throws PawlException with {@link ErrorCode#BAD_JSON} or {@link ErrorCode#TOO_LARGE}
   */
  public static Json parse(String text) {
    if (text.length() > MAX_CHARS) {
      throw tooLarge(text.length());
    }
    StringWriter out = new StringWriter(text.length());
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text);
        JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      if (parser.nextToken() == null) {
        throw new PawlException(ErrorCode.BAD_JSON, "not JSON: the text is empty");
      }
      generator.copyCurrentStructureExact(parser);
      if (parser.nextToken() != null) {
        throw new PawlException(
            ErrorCode.BAD_JSON,
            "not JSON: one value was expected, more text follows at column "
                + parser.currentTokenLocation().getColumnNr());
      }
    } catch (StreamReadException e) {
      throw new PawlException(ErrorCode.BAD_JSON, "not JSON: " + e.getOriginalMessage() + where(e));
    } catch (tools.jackson.core.exc.StreamConstraintsException e) {
      throw new PawlException(ErrorCode.BAD_JSON, "not JSON: " + e.getOriginalMessage());
    } catch (NumberFormatException e) {
      throw new PawlException(
          ErrorCode.BAD_JSON, "a number in this JSON is too large to be read: " + e.getMessage());
    }
    return escaped(out.toString(), ErrorCode.BAD_JSON);
  }

  /** A text that Pawl itself wrote earlier, taken as it is. */
  public static Json stored(String text) {
    // A switch over texts begins with the hash of all of it.
    return text.length() > "false".length() ? new Json(text) : brief(text);
  }

  private static Json brief(String text) {
    return switch (text) {
      case "null" -> NULL;
      case "true" -> TRUE;
      case "false" -> FALSE;
      default -> new Json(text);
    };
  }

  /**
   * A text fresh from a JSON writer: valid, but possibly with lone surrogates or too long.
   *
   * @throws PawlException with {@link ErrorCode#TOO_LARGE}, or with {@link ErrorCode#BAD_VALUE} if
   *     the name of a member has a lone surrogate: escaped, a value can be read again, a name
   *     cannot
   */
  public static Json written(String text) {
    return escaped(text, ErrorCode.BAD_VALUE);
  }

  private static Json escaped(String raw, ErrorCode otherwise) {
    String text = escapeLoneSurrogates(raw);
    if (text.length() > MAX_CHARS) {
      throw tooLarge(text.length());
    }
    if (text.length() != raw.length() && !isReadable(text)) {
      throw new PawlException(
          otherwise,
          "the name of a JSON member has half a surrogate pair in it, which cannot be stored");
    }
    return stored(text);
  }

  private static boolean isReadable(String text) {
    try (JsonParser parser = STORED.createParser(ObjectReadContext.empty(), text)) {
      while (parser.nextToken() != null) {
        parser.finishToken();
      }
      return true;
    } catch (StreamReadException e) {
      return false;
    }
  }

  public static Json string(String value) {
    StringBuilder out = new StringBuilder(value.length() + 16);
    quote(value, out);
    return written(out.toString());
  }

  public static Json number(long value) {
    return new Json(Long.toString(value));
  }

  public static Json bool(boolean value) {
    return value ? TRUE : FALSE;
  }

  public String text() {
    return text;
  }

  public boolean isNull() {
    return text.equals("null");
  }

  /** Opens a reader on the text, positioned on its first token. */
  public JsonParser reader() {
    JsonParser parser = STORED.createParser(ObjectReadContext.empty(), text);
    parser.nextToken();
    return parser;
  }

  /** The value of a member of this object, or null if this is no object or has no such member. */
  public Json member(String name) {
    try (JsonParser parser = reader()) {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          boolean found = parser.currentName().equals(name);
          parser.nextToken();
          if (found) {
            return copy(parser);
          }
          parser.skipChildren();
        }
      }
    }
    return NULL;
  }

  /** Copies the value the parser stands on, and leaves the parser on its last token. */
  public static Json copy(JsonParser parser) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = STORED.createGenerator(ObjectWriteContext.empty(), out)) {
      generator.copyCurrentStructureExact(parser);
    }
    return written(out.toString());
  }

  /** Appends the value as a JSON string, quoted and escaped, to {@code out}. */
  public static void quote(String value, StringBuilder out) {
    out.append('"');
    int done = 0;
    for (int i = 0; i < value.length(); i++) {
      if (isEscaped(value.charAt(i))) {
        escape(value.charAt(i), out.append(value, done, i));
        done = i + 1;
      }
    }
    // All of it at once, if there was nothing to escape.
    (done == 0 ? out.append(value) : out.append(value, done, value.length())).append('"');
  }

  private static boolean isEscaped(char c) {
    return c < ' ' || c == '"' || c == '\\';
  }

  private static void escape(char c, StringBuilder out) {
    if (c < ' ') {
      control(c, out);
    } else {
      out.append('\\').append(c);
    }
  }

  private static void control(char c, StringBuilder out) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      default -> unicode(c, out);
    }
  }

  /** Escapes as Jackson does, in upper case: the same value has the same text, whoever wrote it. */
  private static void unicode(char c, StringBuilder out) {
    out.append("\\u").append(hex(c >> 12)).append(hex(c >> 8)).append(hex(c >> 4)).append(hex(c));
  }

  private static char hex(int digits) {
    return "0123456789ABCDEF".charAt(digits & 15);
  }

  private static String escapeLoneSurrogates(String text) {
    int lone = nextLoneSurrogate(text, 0);
    if (lone < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    int from = 0;
    while (lone >= 0) {
      out.append(text, from, lone);
      unicode(text.charAt(lone), out);
      from = lone + 1;
      lone = nextLoneSurrogate(text, from);
    }
    return out.append(text, from, text.length()).toString();
  }

  private static int nextLoneSurrogate(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isHighSurrogate(c)
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1))) {
          i++;
        } else {
          return i;
        }
      }
    }
    return -1;
  }

  private static String where(StreamReadException e) {
    var at = e.getLocation();
    return at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  private static PawlException tooLarge(int length) {
    return new PawlException(
        ErrorCode.TOO_LARGE,
        "the JSON text has "
            + length
            + " characters, the limit is "
            + MAX_CHARS
            + "; store it elsewhere and pass a reference");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Json json && json.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
