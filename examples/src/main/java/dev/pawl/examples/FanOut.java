package dev.pawl.examples;

import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.json.JsonType;
import dev.pawl.work.Task;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.NullUnmarked;

/** Many things side by side: steps in this process, children on any worker. */
@NullUnmarked
public final class FanOut {
  private FanOut() {}

  // snippet:flow
  static final Task<String, Integer> COUNT =
      Task.of("text.count.v1", String.class, Integer.class, text -> text.split(" ").length);

  static final Flow<List<String>, Integer> TOTAL =
      Flow.define(
          "text.total.v1",
          new JsonType<List<String>>() {},
          JsonType.of(Integer.class),
          (ctx, texts) -> {
            // A step for each text, at most four at a time, in this process.
            List<String> clean = ctx.map("clean", texts, 4, String.class, FanOut::clean);
            // A child run for each text, on whatever worker takes it.
            List<Promise<Integer>> counts =
                clean.stream().map(text -> ctx.child(COUNT, text)).toList();
            return ctx.all(counts).await().stream().mapToInt(Integer::intValue).sum();
          });

  // end

  private static String clean(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }
}
