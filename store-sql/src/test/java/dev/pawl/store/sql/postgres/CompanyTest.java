package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Hint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is told, and who is not. */
class CompanyTest {
  private static final Notice HELLO = Notice.parse("another\n" + Notice.HELLO);
  private static final Notice PRESENT = Notice.parse("another\n" + Notice.PRESENT);
  private static final Notice NEWS = Notice.parse("another\ncsome.type.v1");
  private static final Notice SQL = Notice.parse("sql\ncsome.type.v1");

  private long nanos = -1;
  private final Company company = new Company(() -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void whoDoesNotListenCannotKnowAndTakesItThatOthersDo() {
    pass(Duration.ofDays(1));

    assertThat(company.isAlone()).isFalse();
  }

  @Test
  void whoHearsNoAnswerIsAlone() {
    company.arrive();
    assertThat(company.isAlone()).isFalse();

    pass(Duration.ofSeconds(6));

    assertThat(company.isAlone()).isTrue();
    assertThat(company.isTimeToShow()).isFalse();
  }

  @Test
  void whoeverIsHeardIsCompanyUntilItFallsSilent() {
    company.arrive();
    pass(Duration.ofMinutes(5));
    company.hear(NEWS);
    assertThat(company.isAlone()).isFalse();

    pass(Duration.ofSeconds(99));
    assertThat(company.isAlone()).isFalse();
    company.hear(NEWS);
    pass(Duration.ofSeconds(99));
    assertThat(company.isAlone()).isFalse();

    pass(Duration.ofSeconds(2));
    assertThat(company.isAlone()).isTrue();
  }

  @Test
  void whoHasCompanyShowsNowAndThenThatItIsThere() {
    company.arrive();
    company.hear(NEWS);
    pass(Duration.ofSeconds(29));
    assertThat(company.isTimeToShow()).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(company.isTimeToShow()).isTrue();

    company.show();

    assertThat(company.isTimeToShow()).isFalse();
  }

  @Test
  void aGreetingIsAnsweredSoonAndManyOfThemOnce() {
    company.arrive();
    company.hear(HELLO);
    assertThat(company.isTimeToShow()).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(company.isTimeToShow()).isTrue();
    company.show();

    company.hear(HELLO);
    company.hear(HELLO);
    assertThat(company.isTimeToShow()).isFalse();
    pass(Duration.ofSeconds(2));
    assertThat(company.isTimeToShow()).isTrue();
    company.show();
    pass(Duration.ofSeconds(2));
    assertThat(company.isTimeToShow()).isFalse();
  }

  @Test
  void whatFollowsFromAPlainStatementIsNoSignOfAListener() {
    company.arrive();
    pass(Duration.ofSeconds(6));
    company.hear(SQL);

    assertThat(company.isAlone()).isTrue();
  }

  @Test
  void aGreetingIsNothingToLookInto() {
    assertThat(HELLO.hints()).isEmpty();
    assertThat(PRESENT.hints()).isEmpty();
    assertThat(NEWS.hints()).isEqualTo(List.of(new Hint.Claimable("some.type.v1")));
  }
}
