package dev.pawl.cli.command;

import dev.pawl.cli.exit.CommandException;
import dev.pawl.json.Json;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import dev.pawl.work.TaskContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Answers of tasks from a JSON object, by type or prefix. A value is the answer, unless it is an
 * object with one of these members: {@code $error} is the error to fail with; {@code $echo} answers
 * with the inputs; {@code $each} is a list of answers for one call after the other, of which the
 * last serves all further calls; {@code $after} is how many seconds it takes, beside one of the
 * others or {@code $result}.
 */
final class Mocks {
  private Mocks() {}

  static List<Task<Json, Json>> of(Json object) {
    if (!object.text().startsWith("{")) {
      throw CommandException.badData("mocks are a JSON object: {\"TYPE\": ANSWER, …}");
    }
    List<Task<Json, Json>> tasks = new ArrayList<>();
    members(object)
        .forEach((type, answer) -> {
          Execs.checkPattern(type);
          tasks.add(Task.json(type, new Mock(answer)));
        });
    return tasks;
  }

  private static Map<String, Json> members(Json object) {
    Map<String, Json> members = new LinkedHashMap<>();
    try (JsonParser in = object.reader()) {
      while (in.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = in.currentName();
        in.nextToken();
        members.put(name, Json.copy(in));
      }
    }
    return members;
  }

  /** One type's answers. */
  private static final class Mock implements Task.Handler<Json, Json> {
    private static final double SECOND_MILLIS = 1000;

    private final List<Json> answers = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();

    Mock(Json answer) {
      Json each = special(answer, "$each");
      if (each.text().startsWith("[")) {
        try (JsonParser in = each.reader()) {
          while (in.nextToken() != JsonToken.END_ARRAY) {
            answers.add(Json.copy(in));
          }
        }
      }
      if (answers.isEmpty()) {
        answers.add(answer);
      }
    }

    private static Json special(Json answer, String name) {
      return answer.text().startsWith("{\"$") ? answer.member(name) : Json.NULL;
    }

    @Override
    public Json handle(TaskContext context, Json input) throws Exception {
      Json answer = answers.get(Math.min(calls.getAndIncrement(), answers.size() - 1));
      Json after = special(answer, "$after");
      if (!after.isNull()) {
        long millis = Math.round(Double.parseDouble(after.text()) * SECOND_MILLIS);
        boolean unused = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
      }
      Json error = special(answer, "$error");
      if (!error.isNull()) {
        throw new FailedException(failure(error));
      }
      if (!special(answer, "$echo").isNull()) {
        return input;
      }
      boolean wrapped = !after.isNull() || !special(answer, "$result").isNull();
      return wrapped ? answer.member("$result") : answer;
    }

    private static Failure failure(Json error) {
      return error.text().startsWith("{")
              && !error.member("code").isNull()
              && !error.member("message").isNull()
          ? EventCodec.readFailure(error)
          : Failure.of("ERROR", error.text());
    }
  }
}
