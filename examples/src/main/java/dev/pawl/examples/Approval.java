package dev.pawl.examples;

import dev.pawl.flow.Flow;
import dev.pawl.work.TimedOutException;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;

/** Waits for a person, but not for ever. */
@NullUnmarked
public final class Approval {
  record Request(String what, String asker) {}

  record Decision(boolean yes, String by) {}

  private Approval() {}

  // snippet:flow
  static Flow<Request, String> approval(Duration patience) {
    return Flow.define(
        "office.approval.v1",
        Request.class,
        String.class,
        (ctx, request) -> {
          try {
            Decision decision = ctx.awaitSignal("decision", Decision.class, patience);
            return (decision.yes() ? "approved by " : "refused by ") + decision.by();
          } catch (TimedOutException e) {
            ctx.log("nobody answered " + request.asker() + " within " + patience);
            return "expired";
          }
        });
  }
  // end
}
