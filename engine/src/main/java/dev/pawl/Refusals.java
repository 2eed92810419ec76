package dev.pawl;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.Outcome;

/** What is said when a command did not do what was asked. */
final class Refusals {
  private Refusals() {}

  static PawlException missing(RunId id) {
    return PawlException.notFound("there is no run " + id + "; 'pawl ls' lists those there are");
  }

  static PawlException refused(String done, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Missing missing -> missing(missing.run());
      case Outcome.Refused refused ->
          PawlException.conflict(
              "run " + refused.run().id() + " cannot be " + done + ": " + refused.why());
      default -> unexpected(done, outcome);
    };
  }

  static PawlException unexpected(String asked, Outcome outcome) {
    return new PawlException(ErrorCode.INTERNAL, "unexpected outcome of " + asked + ": " + outcome);
  }
}
