package dev.pawl.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class HelloTaskTest {
  @Test
  void theProgramGreetsAndItsRunIsOnRecord(@TempDir Path directory) {
    String store = "sqlite:" + directory.resolve("hello.db");
    HelloTask.main(new String[] {store});
    try (Pawl pawl = Pawl.open(store)) {
      assertThat(pawl.list(Query.all()))
          .singleElement()
          .returns(Status.SUCCEEDED, Run::status)
          .returns("hello.greet.v1", Run::type)
          .extracting(run -> run.result().orElse(Json.NULL))
          .isEqualTo(Json.string("Hello, Ada!"));
    }
  }
}
