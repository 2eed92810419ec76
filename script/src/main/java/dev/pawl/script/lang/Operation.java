package dev.pawl.script.lang;

import java.util.OptionalLong;

/**
 * What a script asks of its host. Those with a number {@code op} are answered by {@link
 * Machine#settle} or {@link Machine#fail}; numbers grow in the order in which they were asked. All
 * values are JSON, fixed at the call.
 */
public sealed interface Operation {

  /** One that will be answered. */
  sealed interface Awaitable extends Operation {
    long op();
  }

  /** {@code options} is an object with some of the members that {@code Task.run} knows. */
  record StartTask(long op, String name, String inputs, String options) implements Awaitable {}

  record StartWorkflow(long op, String name, String inputs, String options) implements Awaitable {}

  /** To be settled with {@code null} so long after it was asked for. */
  record Sleep(long op, long millis) implements Awaitable {}

  /** To be settled with {@code null} at this moment, in milliseconds since 1970. */
  record SleepUntil(long op, long epochMillis) implements Awaitable {}

  /** Settled by the oldest signal of this name; failed with {@code TIMEOUT} behind the timeout. */
  record NextSignal(long op, String name, OptionalLong timeoutMillis) implements Awaitable {}

  /** Settled by the oldest event on this topic that the run has not seen. */
  record NextEvent(long op, String topic, OptionalLong timeoutMillis) implements Awaitable {}

  record Log(String text) implements Operation {}
}
