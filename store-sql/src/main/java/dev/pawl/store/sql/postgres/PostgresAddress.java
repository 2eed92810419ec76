package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.PGProperty;

/**
 * A URL taken apart.
 *
 * @param jdbcUrl for the driver, without options
 * @param properties for the driver: user, password and its own options
 * @param where the store as messages call it, without password
 */
record PostgresAddress(
    String jdbcUrl, Properties properties, PostgresOptions options, String where) {
  private static final String JDBC = "jdbc:postgresql:";
  private static final String LONG = "postgresql://";
  private static final String SHORT = "postgres://";
  private static final String EXAMPLE = "postgres://user:password@host:5432/database?hints=off";

  static boolean isOne(String url) {
    return url.startsWith(SHORT) || url.startsWith(LONG) || url.startsWith(JDBC);
  }

  /**
   * Reads {@code postgres://user:password@host:port,host2:port2/database?option=value}, the same
   * with {@code postgresql:}, and {@code jdbc:postgresql:…}.
   */
  static PostgresAddress parse(String url, PostgresOptions defaults) {
    int mark = url.indexOf('?');
    String place = mark < 0 ? url : url.substring(0, mark);
    Properties properties = new Properties();
    PostgresOptions options =
        options(shown(url), mark < 0 ? "" : url.substring(mark + 1), properties, defaults);
    String rest =
        place.startsWith(JDBC)
            ? place.substring(JDBC.length()).replaceFirst("^//", "")
            : place.substring(place.indexOf("://") + 3);
    int at = rest.lastIndexOf('@');
    if (at >= 0) {
      login(rest.substring(0, at), properties);
    }
    String hosts = rest.substring(at + 1);
    if (!hosts.contains("/") || hosts.endsWith("/")) {
      throw PawlException.badInput("'" + shown(url) + "' names no database; write " + EXAMPLE);
    }
    if (hosts.contains(",")) {
      properties.putIfAbsent(PGProperty.TARGET_SERVER_TYPE.getName(), "primary");
    }
    String user = properties.getProperty(PGProperty.USER.getName(), "");
    String where = SHORT + (user.isEmpty() ? "" : user + "@") + hosts;
    return new PostgresAddress(JDBC + "//" + hosts, properties, options, where);
  }

  private static void login(String text, Properties properties) {
    int colon = text.indexOf(':');
    properties.setProperty(
        PGProperty.USER.getName(), decoded(colon < 0 ? text : text.substring(0, colon)));
    if (colon >= 0) {
      properties.setProperty(PGProperty.PASSWORD.getName(), decoded(text.substring(colon + 1)));
    }
  }

  private static PostgresOptions options(
      String url, String text, Properties properties, PostgresOptions defaults) {
    PostgresOptions options = defaults;
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      String value = equals < 0 ? "" : decoded(option.substring(equals + 1));
      switch (name) {
        case "hints" -> options = options.hints(isOn(url, value));
        case "lanes" -> options = options.lanes(number(url, value));
        default -> {
          if (PGProperty.forName(name) == null) {
            throw PawlException.badInput(
                "'"
                    + url
                    + "' has the option '"
                    + name
                    + "'; there are hints=on|off, lanes=NUMBER and those of the Postgres driver,"
                    + " such as sslmode");
          }
          properties.setProperty(name, value);
        }
      }
    }
    return options;
  }

  private static boolean isOn(String url, String word) {
    return switch (word) {
      case "on", "true" -> true;
      case "off", "false" -> false;
      default ->
          throw PawlException.badInput(
              "'" + url + "' asks for hints=" + word + "; there are on and off");
    };
  }

  private static int number(String url, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw PawlException.badInput("'" + url + "' asks for lanes=" + text + ", which is no number");
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** The URL as a message may show it. */
  private static String shown(String url) {
    return Optional.of(url)
        .map(text -> text.replaceFirst("://([^:@/]*):[^@/]*@", "://$1:***@"))
        .map(text -> text.replaceAll("(?i)(password=)[^&]*", "$1***"))
        .get();
  }
}
