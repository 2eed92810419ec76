package dev.pawl.testkit;

import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.NodeEvent;
import dev.pawl.store.Command;
import java.util.List;
import java.util.stream.Collectors;

/** What a process has committed, in a few words. */
final class Commits {
  static final String CLAIM = "claim";

  private Commits() {}

  static String describe(List<Command> commands) {
    String told =
        commands.stream()
            .map(Commits::describe)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; "));
    return told.isEmpty() ? CLAIM : told;
  }

  private static String describe(Command command) {
    return switch (command) {
      case Command.Advance advance ->
          advance.events().stream().map(Commits::describe).collect(Collectors.joining(", "));
      case Command.Transact transact -> "transaction";
      default -> "";
    };
  }

  private static String describe(Event event) {
    String kind = EventCodec.kind(event);
    return switch (event) {
      case Event.StepCompleted done -> kind + " " + done.name();
      case Event.StepFailed failed -> kind + " " + failed.name();
      case Event.SignalReceived got -> kind + " " + got.name();
      case Event.EventReceived got -> kind + " " + got.topic();
      case Event.ChildStarted started -> kind + " " + started.type();
      case NodeEvent node -> kind + " " + node.node();
      default -> kind;
    };
  }
}
