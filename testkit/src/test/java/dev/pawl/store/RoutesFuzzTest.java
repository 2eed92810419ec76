package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.error.PawlException;
import dev.pawl.testkit.Fuzz;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A pattern is refused in words, or finds exactly the types that begin as it does. {@code
 * -Dpawl.fuzz.tries=N} hunts longer, {@code -Dpawl.fuzz.seed=N} elsewhere.
 */
class RoutesFuzzTest {
  private static final List<String> FINE =
      List.of("billing.invoice.v1", "billing.%", "%", "a_b.%", "ü😀.v1", "x.y.z.v10", "A.%");
  private static final List<String> PIECES =
      List.of(
          "%",
          "_", ".", "*", "\\", "?", "[", "(", "$", "^", " ", "\u0000", "\ud83d", "v1", "a", "ß");
  private static final List<String> TYPES =
      List.of(
          "billing.invoice.v1", "billing.", "aXb.c", "a_b.c", "ü😀.v1", "x.y.z.v1", "A.b", "a.b");

  @Test
  void aPatternFindsWhatItSays() {
    assertThat(
            Fuzz.of(FINE, PIECES)
                .hunt(Fuzz.tries(100_000), text -> check(text, RoutesFuzzTest::matches)))
        .isEmpty();
  }

  /** What a database calls LIKE takes an underscore for any character. */
  @Test
  void aMatchThatTakesAnUnderscoreForAnythingIsFound() {
    assertThat(Fuzz.of(FINE, PIECES).hunt(20_000, text -> check(text, RoutesFuzzTest::like)))
        .isPresent();
  }

  private static boolean matches(String pattern, String type) {
    return Routes.of(pattern).matches(type);
  }

  private static boolean like(String pattern, String type) {
    String regex = Pattern.quote(pattern).replace("%", "\\E.*\\Q").replace("_", "\\E.\\Q");
    return matches(pattern, type) | Pattern.compile(regex, Pattern.DOTALL).matcher(type).matches();
  }

  private static void check(String pattern, BiPredicate<String, String> match) {
    boolean fine;
    try {
      Routes routes = Routes.of(pattern);
      fine = true;
      assertThat(routes.isEmpty()).isFalse();
    } catch (PawlException refused) {
      assertThat(refused.getMessage()).isNotBlank();
      fine = false;
    }
    for (String type : TYPES) {
      if (fine) {
        boolean expected =
            pattern.endsWith("%")
                ? type.regionMatches(0, pattern, 0, pattern.length() - 1)
                : type.contentEquals(pattern);
        assertThat(match.test(pattern, type)).as("%s and %s", pattern, type).isEqualTo(expected);
      }
    }
  }
}
