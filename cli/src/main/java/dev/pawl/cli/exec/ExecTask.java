package dev.pawl.cli.exec;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Failure;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import dev.pawl.work.TaskContext;
import dev.pawl.work.TimedOutException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a task with a shell command: payload in, output out, and the exit code decides. Exit
 * 0 is success, 65 fails for good, everything else is worth another attempt.
 */
public final class ExecTask implements Task.Handler<Json, Json> {
  private static final int EX_DATAERR = 65;
  private static final int EX_TEMPFAIL = 75;

  private final String command;
  private final ExecOptions options;
  private final Processes processes;
  private final ErrorLines errors;

  public ExecTask(String command, ExecOptions options, Processes processes, ErrorLines errors) {
    this.command = command;
    this.options = options;
    this.processes = processes;
    this.errors = errors;
  }

  @Override
  public @Nullable Json handle(TaskContext context, Json payload) throws Exception {
    Child child = start(context, payload);
    try {
      return judge(child, await(child, context));
    } catch (InterruptedException e) {
      child.stop(options.killAfter());
      throw e;
    } catch (FailedException e) {
      throw limited(context, e);
    } finally {
      processes.ended(child);
    }
  }

  private Child start(TaskContext context, Json payload) throws InterruptedException {
    try {
      return processes.start(
          command,
          environment(context),
          payload.text().getBytes(StandardCharsets.UTF_8),
          options.maxOutputBytes(),
          line -> errors.line(context.run(), context.type(), line));
    } catch (IOException e) {
      throw FailedException.temporary(
          "COMMAND_FAILED", "the command could not be started: " + e.getMessage());
    }
  }

  private Map<String, String> environment(TaskContext context) {
    Map<String, String> variables = new HashMap<>();
    variables.put("PAWL_RUN", context.run().toString());
    variables.put("PAWL_TYPE", context.type());
    variables.put("PAWL_ATTEMPT", Integer.toString(context.attempt()));
    variables.put("PAWL_KEY", context.idempotencyKey());
    variables.put("PAWL_STORE", options.storeUrl());
    return variables;
  }

  private int await(Child child, TaskContext context) throws InterruptedException {
    Optional<Integer> exit = child.await(options.timeout());
    if (exit.isEmpty()) {
      child.stop(options.killAfter());
      throw new TimedOutException(
          "the command took longer than its limit of "
              + options.timeout().map(limit -> limit.toMillis() + " ms").orElse("none"));
    }
    if (exit.get() != 0 && processes.isStopping() && !context.isCancelled()) {
      // The worker ended it, not the task's own failure: the run is about to be given back.
      new CountDownLatch(1).await();
    }
    return exit.get();
  }

  private Json judge(Child child, int exit) {
    if (child.wroteTooMuch()) {
      throw FailedException.permanent(
          "TOO_LARGE",
          "the command wrote more than "
              + options.maxOutputBytes()
              + " bytes to its standard output; write them elsewhere and print a reference");
    }
    if (exit == 0) {
      return result(child.output());
    }
    throw new FailedException(failure(child, exit));
  }

  /** JSON if it is, else a text without its last line end; nothing is null. */
  static Json result(String output) {
    String text =
        output.endsWith("\r\n")
            ? output.substring(0, output.length() - 2)
            : output.endsWith("\n") ? output.substring(0, output.length() - 1) : output;
    if (text.isEmpty()) {
      return Json.NULL;
    }
    try {
      return Json.parse(text);
    } catch (PawlException e) {
      return Json.string(text);
    }
  }

  private static Failure failure(Child child, int exit) {
    String errors = child.errors().strip();
    String last = errors.substring(errors.lastIndexOf('\n') + 1);
    Failure plain =
        Failure.of(
            "COMMAND_FAILED",
            "the command ended with "
                + describe(exit)
                + (last.isEmpty() ? ", and wrote nothing to standard error" : ": " + last));
    Json data = Json.written(new JsonLine().put("exit", exit).put("stderr", errors).text());
    return new Failure(
        plain.code(),
        "",
        plain.message(),
        data,
        exit != EX_DATAERR,
        0,
        plain.source(),
        Optional.empty(),
        "");
  }

  private static String describe(int exit) {
    return switch (exit) {
      case EX_DATAERR -> "exit code 65 (data error, not tried again)";
      case EX_TEMPFAIL -> "exit code 75 (temporary failure)";
      case 126 -> "exit code 126 (it cannot be executed)";
      case 127 -> "exit code 127 (command not found)";
      case 128 + 9 -> "exit code 137 (killed: SIGKILL)";
      case 128 + 15 -> "exit code 143 (terminated: SIGTERM)";
      default -> "exit code " + exit;
    };
  }

  private FailedException limited(TaskContext context, FailedException e) {
    boolean last = context.attempt() >= options.maxAttempts();
    return last && e.failure().retryable()
        ? new FailedException(e.failure().withRetryable(false))
        : e;
  }
}
