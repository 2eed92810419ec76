package dev.pawl.script.lang;

import java.util.List;

/** How far a call of {@link Machine#run} got. */
public sealed interface Step {
  /** What the script newly asked for in this call, in order. To be done even if it has ended. */
  List<Operation> started();

  /** The script returned. {@code value} is JSON. */
  record Done(List<Operation> started, String value) implements Step {}

  /** The script ended with an error that it did not catch. */
  record Threw(List<Operation> started, Failure error) implements Step {}

  /**
   * Nothing can go on before an operation is answered.
   *
   * @param pending all that are not answered, in the order in which they were asked
   * @param wakeAfter how many answers, timers not counted, must come in before any part of the
   *     script can possibly go on, if none of them is a failure; at least 1
   */
  record Waiting(List<Operation> started, List<Pending> pending, int wakeAfter) implements Step {}

  /** The machine was told to stop at every statement, and has come to one. */
  record Paused(List<Operation> started) implements Step {}

  /**
   * An operation without an answer.
   *
   * @param awaited whether some await depends on it now: a signal or event may only be given to one
   *     that is
   */
  record Pending(Operation.Awaitable operation, boolean awaited) {}
}
