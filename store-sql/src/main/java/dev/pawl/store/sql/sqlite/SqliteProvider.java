package dev.pawl.store.sql.sqlite;

import dev.pawl.error.PawlException;
import dev.pawl.store.Store;
import dev.pawl.store.StoreProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/** Opens {@code sqlite:PATH} and {@code sqlite:PATH?synchronous=NORMAL}. */
public final class SqliteProvider implements StoreProvider {
  private static final String SCHEME = "sqlite:";

  @Override
  public boolean accepts(String url) {
    return url.startsWith(SCHEME);
  }

  @Override
  public Store open(String url) {
    String rest = url.substring(SCHEME.length());
    int mark = rest.indexOf('?');
    String file = mark < 0 ? rest : rest.substring(0, mark);
    if (file.isEmpty()) {
      throw PawlException.badInput(
          "'" + url + "' names no file; write sqlite:orders.db or sqlite:/var/lib/orders.db");
    }
    return SqliteStore.open(
        path(url, file), options(url, mark < 0 ? "" : rest.substring(mark + 1)));
  }

  private static Path path(String url, String file) {
    try {
      return Path.of(file);
    } catch (InvalidPathException e) {
      throw PawlException.badInput("'" + url + "' names no possible file: " + e.getMessage());
    }
  }

  private static SqliteOptions options(String url, String text) {
    SqliteOptions options = SqliteOptions.defaults();
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      if (!name.equals("synchronous")) {
        throw PawlException.badInput(
            "'" + url + "' has the option '" + name + "'; there is only synchronous=FULL|NORMAL");
      }
      options = options.synchronous(level(url, option.substring(equals + 1)));
    }
    return options;
  }

  private static SqliteOptions.Synchronous level(String url, String word) {
    return Arrays.stream(SqliteOptions.Synchronous.values())
        .filter(level -> level.name().equals(word.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            PawlException.badInput(
                "'" + url + "' asks for synchronous=" + word + "; there are FULL and NORMAL"));
  }
}
