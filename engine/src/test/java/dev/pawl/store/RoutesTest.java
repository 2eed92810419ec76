package dev.pawl.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {

  @Test
  void aPatternIsATypeOrAPrefix() {
    Routes routes = Routes.of("billing.invoice.v1", "shipping.%", "shipping.%");

    assertThat(routes.types()).containsExactly("billing.invoice.v1");
    assertThat(routes.prefixes()).containsExactly("shipping.");
  }

  @Test
  void typesMatchWholeAndPrefixesMatchBeginnings() {
    Routes routes = Routes.of("a.v1", "b.%");

    assertThat(routes.matches("a.v1")).isTrue();
    assertThat(routes.matches("a.v10")).isFalse();
    assertThat(routes.matches("A.v1")).isFalse();
    assertThat(routes.matches("b.")).isTrue();
    assertThat(routes.matches("b.c.v1")).isTrue();
    assertThat(routes.matches("b")).isFalse();
    assertThat(routes.matches("xb.c")).isFalse();
  }

  @Test
  void anUnderscoreIsAPlainCharacter() {
    assertThat(Routes.of("a_%").matches("axb")).isFalse();
    assertThat(Routes.of("a_%").matches("a_b")).isTrue();
  }

  @Test
  void aPercentSignAloneMatchesEverything() {
    assertThat(Routes.of("%").matches("anything")).isTrue();
    assertThat(Routes.of("%").isEmpty()).isFalse();
  }

  @Test
  void noRoutesMatchNothing() {
    assertThat(Routes.of().isEmpty()).isTrue();
    assertThat(new Routes(Set.of(), Set.of()).matches("a")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"%a", "a%b", "a.%.v1", "a%%", "", "a b"})
  void otherPatternsAreRefused(String pattern) {
    assertThatExceptionOfType(PawlException.class).isThrownBy(() -> Routes.of(pattern));
  }
}
