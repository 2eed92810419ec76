package dev.pawl.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.error.PawlException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunIdTest {

  @Test
  void idsSortAsTheirTextsDo() {
    List<String> texts =
        List.of(
            "00000000-0000-7000-8000-000000000000",
            "0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55",
            "7fffffff-ffff-7fff-bfff-ffffffffffff",
            "80000000-0000-7000-8000-000000000000",
            "80000000-0000-7000-ffff-000000000000",
            "ffffffff-ffff-ffff-7fff-ffffffffffff",
            "ffffffff-ffff-ffff-ffff-ffffffffffff");

    assertThat(texts.reversed().stream().map(RunId::parse).sorted().map(RunId::toString))
        .isEqualTo(texts);
  }

  @Test
  void anIdReadsBackFromItsText() {
    assertThat(RunId.parse(Samples.ID.toString())).isEqualTo(Samples.ID);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "1-1-1-1-1",
        "0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c5",
        "0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c555",
        "0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c5g",
        "{197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c5}"
      })
  void otherTextsAreRefusedByName(String text) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> RunId.parse(text))
        .withMessageContaining("'" + text + "' is not a run id");
  }
}
