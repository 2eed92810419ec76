package dev.pawl.log;

import static dev.pawl.log.Status.CANCELLED;
import static dev.pawl.log.Status.FAILED;
import static dev.pawl.log.Status.PENDING;
import static dev.pawl.log.Status.RUNNING;
import static dev.pawl.log.Status.SUCCEEDED;
import static dev.pawl.log.Status.SUSPENDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusTest {

  @Test
  void theTableOfMoves() {
    assertThat(PENDING.next()).containsExactlyInAnyOrder(RUNNING, CANCELLED, PENDING);
    assertThat(RUNNING.next())
        .containsExactlyInAnyOrder(PENDING, RUNNING, SUSPENDED, SUCCEEDED, FAILED, CANCELLED);
    assertThat(SUSPENDED.next()).containsExactlyInAnyOrder(RUNNING, CANCELLED, PENDING);
    assertThat(SUCCEEDED.next()).containsExactly(PENDING);
    assertThat(FAILED.next()).containsExactly(PENDING);
    assertThat(CANCELLED.next()).containsExactly(PENDING);
  }

  @Test
  void threeStatesAreTerminal() {
    assertThat(Status.values())
        .filteredOn(Status::isTerminal)
        .containsExactly(SUCCEEDED, FAILED, CANCELLED);
  }

  @ParameterizedTest
  @EnumSource
  void aStatusReadsBackFromItsWord(Status status) {
    assertThat(Status.parse(status.word())).isEqualTo(status);
    assertThat(status.word()).isLowerCase();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PENDING", "leased", "pending "})
  void otherWordsAreRefusedByName(String word) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Status.parse(word))
        .withMessageContaining("'" + word + "'");
  }
}
