package dev.pawl.graph.node;

import dev.pawl.json.Json;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * What kind of value a handle takes or gives, as coarse as JSON is: whether two handles fit is
 * known before a graph runs.
 *
 * @param element of a list, what is in it
 */
public record HandleType(Kind kind, Optional<HandleType> element) {
  /** The kinds there are. */
  public enum Kind {
    ANY,
    TEXT,
    NUMBER,
    INTEGER,
    BOOLEAN,
    OBJECT,
    LIST
  }

  public static final HandleType ANY = of(Kind.ANY);
  public static final HandleType TEXT = of(Kind.TEXT);
  public static final HandleType NUMBER = of(Kind.NUMBER);
  public static final HandleType BOOLEAN = of(Kind.BOOLEAN);
  public static final HandleType OBJECT = of(Kind.OBJECT);

  private static HandleType of(Kind kind) {
    return new HandleType(kind, Optional.empty());
  }

  public static HandleType listOf(HandleType element) {
    return new HandleType(Kind.LIST, Optional.of(element));
  }

  /** The type of a Java type's JSON. */
  public static HandleType of(Type type) {
    if (type instanceof ParameterizedType generic
        && generic.getRawType() instanceof Class<?> raw
        && Collection.class.isAssignableFrom(raw)) {
      return listOf(of(generic.getActualTypeArguments()[0]));
    }
    if (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class) {
      return of(generic.getActualTypeArguments()[0]);
    }
    return type instanceof Class<?> plain ? ofClass(plain) : OBJECT;
  }

  private static HandleType ofClass(Class<?> type) {
    if (type == Json.class || type == Object.class || type == Value.class) {
      return ANY;
    }
    if (type == String.class || type.isEnum() || type == char.class) {
      return TEXT;
    }
    if (type == boolean.class || type == Boolean.class) {
      return BOOLEAN;
    }
    if (type == int.class
        || type == long.class
        || type == short.class
        || type == Integer.class
        || type == Long.class
        || type == BigInteger.class) {
      return of(Kind.INTEGER);
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return NUMBER;
    }
    return Collection.class.isAssignableFrom(type) ? listOf(ANY) : OBJECT;
  }

  /** Whether a value of the other type can come in here. */
  public boolean accepts(HandleType other) {
    if (kind == Kind.ANY || other.kind == Kind.ANY) {
      return true;
    }
    if (kind == Kind.LIST && other.kind == Kind.LIST) {
      return element.orElse(ANY).accepts(other.element.orElse(ANY));
    }
    return kind == other.kind || (kind == Kind.NUMBER && other.kind == Kind.INTEGER);
  }

  public boolean isList() {
    return kind == Kind.LIST;
  }

  @Override
  public String toString() {
    String word = kind.name().toLowerCase(Locale.ROOT);
    return element.map(inner -> word + " of " + inner).orElse(word);
  }
}
