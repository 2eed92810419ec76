package dev.pawl.testkit.sim;

import dev.pawl.json.JsonCodec;
import dev.pawl.log.Run;

/**
 * What must be true in the end: everything is over (L1), as the model says, and nothing is lost.
 */
final class Reckoning {
  private final Episode episode;
  private final Witness witness;

  Reckoning(Episode episode) {
    this.episode = episode;
    this.witness = episode.witness();
  }

  void check() {
    if (!episode.isEverythingDone()) {
      notOver();
      return;
    }
    witness.lookAtEverything();
    witness.runs().forEach(this::isAsPlanned);
  }

  private void notOver() {
    for (Run run : witness.runs()) {
      if (!run.status().isTerminal()) {
        witness.report("L1", run.id(), "it should have ended long ago; it is " + run);
      }
    }
    if (witness.violations().isEmpty()) {
      Run any = witness.runs().iterator().next();
      witness.report("L1", any.id(), "somebody still waits for an answer from the engine");
    }
  }

  private void isAsPlanned(Run run) {
    boolean child = run.parent().isPresent();
    Client client = episode.client();
    if (!Episode.isPlan(run)) {
      return;
    }
    if (client.isDisturbed(run.root()) || (child && client.isReopened(run.root()))) {
      return;
    }
    Model model = Model.of(episode.planOf(run));
    String found =
        switch (run.status()) {
          case SUCCEEDED ->
              model.canSucceed() && model.accepts(result(run)) ? "" : "it gave " + result(run);
          case FAILED -> model.canFail() || isPoisoned(run) ? "" : "it failed: " + run.lastError();
          case CANCELLED, PENDING, RUNNING, SUSPENDED -> "it is " + run.status().word();
        };
    if (!found.isEmpty()) {
      witness.report("MODEL", run.id(), "by its plan it should be " + model + "; " + found);
    }
  }

  private static String result(Run run) {
    return String.valueOf(JsonCodec.decode(run.result().orElseThrow(), String.class));
  }

  /** A run that lost its worker too often without getting any further may give up. */
  private static boolean isPoisoned(Run run) {
    return run.lastError().filter(failure -> failure.code().equals("POISONED")).isPresent();
  }
}
