package dev.pawl.cli.program;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.graph.node.Expressions;
import dev.pawl.json.Json;
import dev.pawl.script.lang.Host;
import dev.pawl.script.lang.Limits;
import dev.pawl.script.lang.Machine;
import dev.pawl.script.lang.RunContext;
import dev.pawl.script.lang.Script;
import dev.pawl.script.lang.ScriptErrors;
import dev.pawl.script.lang.Step;
import dev.pawl.work.FailedException;
import java.util.stream.Collectors;

/** The script language for the expressions in graphs. They cannot wait, and know no time. */
final class ScriptExpressions implements Expressions {
  private static final Limits LIMITS = Limits.DEFAULT.withOperations(1_000_000);
  private static final RunContext NO_RUN = new RunContext("", "", 1);
  private static final Host NO_HOST =
      new Host() {
        @Override
        public long nowMillis() {
          throw noSource("the time");
        }

        @Override
        public double random() {
          throw noSource("chance");
        }

        @Override
        public String uuid() {
          throw noSource("ids");
        }
      };

  @Override
  public Expression read(String text) {
    return switch (Script.parse("expression", "return (" + text + "\n)")) {
      case ScriptErrors wrong ->
          throw PawlException.badInput(
              "'expression' is none: "
                  + wrong.errors().stream()
                      .map(error -> error.message())
                      .collect(Collectors.joining("; ")));
      case Script script -> inputs -> value(script, text, inputs);
    };
  }

  private static Json value(Script script, String text, Json inputs) {
    return switch (Machine.start(script, inputs.text(), NO_RUN, NO_HOST, LIMITS).run()) {
      case Step.Done done -> Json.stored(done.value());
      case Step.Threw threw ->
          throw FailedException.permanent(threw.error().code(), threw.error().message());
      case Step.Waiting waiting -> throw waits(text);
      case Step.Paused paused -> throw waits(text);
    };
  }

  private static FailedException waits(String text) {
    return FailedException.permanent(
        ErrorCode.BAD_INPUT.name(), "the expression '" + text + "' waits, which it must not");
  }

  private static FailedException noSource(String of) {
    return FailedException.permanent(
        ErrorCode.BAD_INPUT.name(), "an expression in a graph does not know " + of);
  }
}
