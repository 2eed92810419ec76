package dev.pawl.cli.json;

import dev.pawl.log.EventCodec;
import dev.pawl.log.Run;
import java.util.Optional;

/** A run as a JSON object. Members may be added; none is ever renamed. */
public final class RunJson {
  private RunJson() {}

  /** Where the run stands, without what may be long. */
  public static JsonLine summary(Run run) {
    JsonLine out =
        new JsonLine()
            .put("id", run.id().toString())
            .put("type", run.type())
            .put("status", run.status().word())
            .putIfAny("key", run.key())
            .put("priority", run.priority())
            .put("attempt", run.attempt())
            .put("maxAttempts", run.maxAttempts())
            .put("createdAt", run.createdAt())
            .put("updatedAt", run.updatedAt())
            .putIfAny("due", run.due())
            .putIfAny("finishedAt", run.finishedAt())
            .putIfAny("deadline", run.deadline())
            .putIfAny("ttl", run.ttl())
            .putIfAny("expiresAt", run.expiry())
            .putIfAny("lease", run.lease().map(RunJson::lease))
            .putIfAny("cancelling", run.cancelling())
            .putIfAny("definition", run.definition())
            .putIfAny("parent", run.parent())
            .putIfAny("forkedFrom", run.forkedFrom())
            .putIfAny("error", run.lastError().map(EventCodec::failure));
    return run.tags().isEmpty() ? out : out.put("tags", run.tags());
  }

  /** The same with payload and result. */
  public static JsonLine whole(Run run) {
    return summary(run).put("payload", run.payload()).putIfAny("result", run.result());
  }

  private static JsonLine lease(Run.Lease lease) {
    return new JsonLine()
        .put("worker", lease.worker())
        .putIfAny("until", Optional.of(lease.until()));
  }
}
