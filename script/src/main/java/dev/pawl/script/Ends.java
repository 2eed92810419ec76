package dev.pawl.script;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;

/** How a run ended, as its row tells. */
final class Ends {
  private Ends() {}

  static Event.ChildResult of(Run run) {
    return switch (run.status()) {
      case SUCCEEDED -> new Event.ChildResult.Succeeded(run.result().orElse(Json.NULL));
      case FAILED ->
          new Event.ChildResult.Failed(
              run.lastError().orElseGet(() -> Failure.of("ERROR", "run " + run.id() + " failed")));
      default -> new Event.ChildResult.Cancelled(run.cancelling().orElse(""));
    };
  }
}
