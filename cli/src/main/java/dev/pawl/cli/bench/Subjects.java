package dev.pawl.cli.bench;

import dev.pawl.flow.Flow;
import dev.pawl.flow.Promise;
import dev.pawl.work.Task;
import java.util.ArrayList;
import java.util.List;

/** The programs whose runs are measured. They do nothing, so that what is seen is Pawl. */
public final class Subjects {
  /** How many children a run of {@link #FANOUT} starts. */
  public static final int CHILDREN = 1000;

  public static final Task<Integer, Integer> TASK =
      Task.of("bench.task.v1", Integer.class, Integer.class, number -> number);

  public static final Flow<Integer, Integer> FLOW1 = steps("bench.flow1.v1", 1);
  public static final Flow<Integer, Integer> FLOW5 = steps("bench.flow5.v1", 5);

  /** Waits for the signal {@code go} and returns its value. */
  public static final Flow<Integer, Integer> SIGNAL =
      Flow.define(
          "bench.signal.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> ctx.awaitSignal("go", Integer.class));

  /** Starts {@link #CHILDREN} tasks, awaits them all and returns how many there were. */
  public static final Flow<Integer, Integer> FANOUT =
      Flow.define(
          "bench.fanout.v1",
          Integer.class,
          Integer.class,
          (ctx, in) -> {
            List<Promise<Integer>> children = new ArrayList<>();
            for (int i = 0; i < CHILDREN; i++) {
              children.add(ctx.child(TASK, i));
            }
            List<Integer> results = ctx.<Integer>all(children).await();
            return results == null ? 0 : results.size();
          });

  private Subjects() {}

  /** A flow of so many steps, one after the other. */
  public static Flow<Integer, Integer> steps(String type, int count) {
    return Flow.define(
        type,
        Integer.class,
        Integer.class,
        (ctx, in) -> {
          int last = in;
          for (int i = 0; i < count; i++) {
            int n = i;
            Integer got = ctx.step("step", Integer.class, () -> n);
            last = got == null ? 0 : got;
          }
          return last;
        });
  }
}
