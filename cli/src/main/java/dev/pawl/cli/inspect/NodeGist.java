package dev.pawl.cli.inspect;

import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.log.NodeEvent;
import java.time.Duration;
import java.time.Instant;

/** The gist of what happened to a node of a graph. */
final class NodeGist {
  private NodeGist() {}

  static String of(NodeEvent event, Instant at) {
    return Text.oneLine(event.node()) + rest(event, at);
  }

  private static String rest(NodeEvent event, Instant at) {
    return switch (event) {
      case NodeEvent.Scheduled e -> " (" + Text.oneLine(e.type()) + ")" + attempt(e.attempt());
      case NodeEvent.Started e -> attempt(e.attempt());
      case NodeEvent.Checkpointed e ->
          e.state().isNull() ? " stands still" : " = " + Gist.value(e.state());
      case NodeEvent.Completed e ->
          " in "
              + TimeText.span(Duration.ofMillis(e.millis()))
              + attempt(e.attempt())
              + " = "
              + Gist.value(e.outputs());
      case NodeEvent.Failed e ->
          " attempt "
              + e.attempt()
              + ": "
              + Gist.summary(e.failure())
              + e.retryAt().map(next -> "; next attempt " + TimeText.relative(next, at)).orElse("");
      case NodeEvent.TriggerRegistered e -> " waits for inputs (" + e.trigger() + ")";
      case NodeEvent.TriggerInput e ->
          " input " + Text.oneLine(e.input()) + " = " + Gist.value(e.data());
      case NodeEvent.TriggerAdvanced e ->
          " done up to " + Text.oneLine(e.cursor()) + " (" + e.count() + " inputs)";
      case NodeEvent.OutboxEnqueued e -> " sends " + Gist.message(e.message());
      case NodeEvent.OutboxSent e -> " got through " + Gist.message(e.message());
    };
  }

  private static String attempt(int number) {
    return number > 1 ? " at attempt " + number : "";
  }
}
