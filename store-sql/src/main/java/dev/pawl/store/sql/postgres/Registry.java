package dev.pawl.store.sql.postgres;

import dev.pawl.store.TypeState;
import dev.pawl.store.sql.FreeText;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is known of types, as rows of {@code workflow_registry}. */
final class Registry {
  private static final char REPLACEMENT = '\uFFFD';

  private Registry() {}

  /** Reads {@code types}. */
  static TypeState read(Cells cells) throws SQLException {
    String name = cells.text();
    boolean enabled = cells.flag();
    String runtime = cells.text();
    String description = cells.text();
    Optional<String> exact = cells.optionalText().map(FreeText::unquote);
    // Somebody else may have written another description since.
    String told = exact.filter(text -> storable(text).equals(description)).orElse(description);
    return new TypeState(name, enabled, runtime, told);
  }

  /** The description with what Postgres cannot keep replaced. */
  static String storable(String text) {
    StringBuilder kept = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      int c = text.codePointAt(i);
      boolean odd = c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
      kept.appendCodePoint(odd ? REPLACEMENT : c);
      i += Character.isSupplementaryCodePoint(c) ? 1 : 0;
    }
    return kept.toString();
  }

  /** The description as a JSON string, if it cannot be kept as it is. */
  static @Nullable String exact(String text) {
    return storable(text).equals(text) ? null : FreeText.quote(text);
  }
}
