package dev.pawl.flow;

import org.jspecify.annotations.Nullable;

/**
 * Stands around the bodies of a flow's steps: a test counts them, or puts others in their place.
 * Thread-safe: bodies of parallel steps are run at once.
 */
@FunctionalInterface
public interface StepBodies {
  /** Every body is run as it is. */
  StepBodies AS_THEY_ARE = StepBodies::plain;

  /**
   * Runs a body, or something in its place, and returns what is to be recorded.
   *
   * @param step the step's name
   */
  @Nullable Object run(String step, StepContext context, FlowContext.KeyedBody<?> body)
      throws Exception;

  private static @Nullable Object plain(
      String step, StepContext context, FlowContext.KeyedBody<?> body) throws Exception {
    return body.run(context);
  }
}
