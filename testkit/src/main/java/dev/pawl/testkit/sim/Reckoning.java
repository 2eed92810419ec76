package dev.pawl.testkit.sim;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.History;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What must be true in the end: everything is over (L1), as the model says, and nothing is lost.
 */
final class Reckoning {
  private final Episode episode;
  private final Witness witness;
  private final Set<RunId> givenUp = new HashSet<>();

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
    witness.runs().stream().filter(Reckoning::isGivenUp).map(Run::root).forEach(givenUp::add);
    witness.runs().forEach(this::isAsPlanned);
    witness.runs().stream().filter(run -> run.definition().isPresent()).forEach(this::isUnmoved);
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
    Plan plan = episode.planOf(run);
    if (Client.isLimited(plan)) {
      return;
    }
    if (client.isDisturbed(run.root()) || (child && client.isReopened(run.root()))) {
      return;
    }
    if (isHeirOfTrouble(run) || givenUp.contains(run.root())) {
      return;
    }
    if (run.status() == Status.FAILED && Cast.isFlow(run.type())) {
      isUndone(run);
    }
    Model model = Model.of(plan);
    String found =
        switch (run.status()) {
          case SUCCEEDED ->
              model.canSucceed() && model.accepts(result(run)) ? "" : "it gave " + result(run);
          case FAILED -> model.canFail() ? "" : "it failed: " + run.lastError();
          case CANCELLED, PENDING, RUNNING, SUSPENDED -> "it is " + run.status().word();
        };
    if (!found.isEmpty()) {
      witness.report("MODEL", run.id(), "by its plan it should be " + model + "; " + found);
    }
  }

  /** A fork has the history of another run, and with it what others did to that one's children. */
  private boolean isHeirOfTrouble(Run run) {
    Optional<Run> origin = witness.row(run.root()).flatMap(Run::forkedFrom).flatMap(witness::row);
    return origin.isPresent()
        && (episode.client().isDisturbed(origin.get().root())
            || episode.client().isReopened(origin.get().root())
            || isHeirOfTrouble(origin.get()));
  }

  private static String result(Run run) {
    return Cast.text(run.result().orElseThrow());
  }

  /**
   * A run that lost its worker too often, or has a deadline that passed, may fail: so may its
   * family.
   */
  private static boolean isGivenUp(Run run) {
    String code = run.lastError().map(Failure::code).orElse("");
    return code.equals("POISONED")
        || code.equals("WORKER_LOST")
        || (code.equals("TIMEOUT") && run.deadline().isPresent());
  }

  /** A definition's run that could not be read has not failed; a script would start over. */
  private void isUnmoved(Run run) {
    for (Entry entry : witness.log(run.id())) {
      if (entry.event() instanceof Event.Retried retried
          && retried.failure().code().equals("STORE_UNAVAILABLE")) {
        witness.report("MODEL", run.id(), "it was retried because of the store: " + entry);
      }
    }
  }

  /** What a failed run had registered is undone, the last first. */
  private void isUndone(Run run) {
    List<String> registered = new ArrayList<>();
    int least = -1;
    Plan plan = episode.planOf(run);
    for (int i = 0; i < plan.acts().size(); i++) {
      if (plan.acts().get(i) instanceof Plan.Act.Undo) {
        registered.add("undo" + plan.id() + "-" + i);
      }
      if (least < 0 && Model.canFail(plan, i)) {
        least = registered.size();
      }
    }
    List<String> undone = new ArrayList<>();
    for (Entry entry : History.of(witness.log(run.id())).entries()) {
      if (entry.event() instanceof Event.StepCompleted step && step.name().startsWith("undo")) {
        undone.addFirst(step.name());
      }
    }
    boolean right =
        undone.size() >= least
            && undone.size() <= registered.size()
            && undone.equals(registered.subList(0, undone.size()));
    if (!right) {
      witness.report("MODEL", run.id(), "of " + registered + " it has undone " + undone);
    }
  }
}
