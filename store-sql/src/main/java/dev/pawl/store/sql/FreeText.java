package dev.pawl.store.sql;

import dev.pawl.json.Json;

/** Text that nobody has checked, kept as a JSON string: so it survives whatever is in it. */
public final class FreeText {
  private FreeText() {}

  public static String quote(String text) {
    return Json.string(text).text();
  }

  public static String unquote(String quoted) {
    try (var reader = Json.stored(quoted).reader()) {
      return reader.getString();
    }
  }
}
