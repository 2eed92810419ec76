package dev.pawl.script;

import dev.pawl.script.lang.Operation;
import dev.pawl.script.lang.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who gets the next message: of the waits that some await depends on, the first to have been made.
 *
 * @param signals operations by the names of signals
 * @param topics operations by topics
 */
record Awaited(Map<String, Long> signals, Map<String, Long> topics) {
  static Awaited of(List<Step.Pending> pending) {
    Map<String, Long> signals = new HashMap<>();
    Map<String, Long> topics = new HashMap<>();
    for (Step.Pending open : pending) {
      if (open.awaited() && open.operation() instanceof Operation.NextSignal wait) {
        signals.putIfAbsent(wait.name(), wait.op());
      } else if (open.awaited() && open.operation() instanceof Operation.NextEvent wait) {
        topics.putIfAbsent(wait.topic(), wait.op());
      }
    }
    return new Awaited(signals, topics);
  }
}
