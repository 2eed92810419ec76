package dev.pawl.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.cli.bench.Subjects;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Violation;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import dev.pawl.store.Query;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FillingTest {
  @TempDir Path directory;

  @Test
  void aFilledStoreIsSoundAndItsRunsGoOnWhenTheyAreSignalled() {
    try (Pawl pawl = Pawl.open("sqlite:" + directory.resolve("filled.db"))) {
      new Filling(pawl.store()).fill(1100);

      assertThat(pawl.counts())
          .containsExactlyInAnyOrder(
              new Count(Subjects.SIGNAL.type(), Status.SUSPENDED, 1100),
              new Count(Subjects.TASK.type(), Status.SUCCEEDED, 1100));
      List<Violation> violations = new ArrayList<>();
      assertThat(Doctor.check(pawl.store(), violations::add).isHealthy())
          .as("%s", violations)
          .isTrue();

      pawl.register(Subjects.SIGNAL).work();
      var waiting = pawl.list(Query.all().withStatus(Status.SUSPENDED)).get(0).id();
      pawl.signal(waiting, "go", 7);
      assertThat(pawl.handle(waiting).result(Duration.ofMinutes(1)).text()).isEqualTo("7");
    }
  }
}
