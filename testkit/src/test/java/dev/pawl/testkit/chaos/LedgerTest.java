package dev.pawl.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
  @TempDir Path directory;

  @Test
  void aWriterThatIsInterruptedDoesNotCloseItForTheOthers() {
    Path path = directory.resolve("ledger");
    try (Ledger ledger = Ledger.open(path)) {
      Thread.currentThread().interrupt();
      ledger.write("one");
      assertThat(Thread.interrupted()).isTrue();
      ledger.write("two");
    }
    assertThat(Ledger.read(path)).containsExactly("one", "two");
  }
}
