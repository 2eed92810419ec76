package dev.pawl.bench.peers;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The workflows and activities of {@link TemporalPeer}. */
public final class TemporalFlows {
  private TemporalFlows() {}

  @ActivityInterface
  public interface Step {
    int step(int number);
  }

  /** An activity that does nothing. */
  public static final class NoStep implements Step {
    @Override
    public int step(int number) {
      return number;
    }
  }

  @WorkflowInterface
  public interface Task {
    @WorkflowMethod(name = "task")
    int run(String payload);
  }

  public static final class TaskFlow implements Task {
    @Override
    public int run(String payload) {
      Tally.executed();
      return payload.length();
    }
  }

  @WorkflowInterface
  public interface Steps {
    @WorkflowMethod(name = "steps")
    int run(int count);
  }

  public static final class StepsFlow implements Steps {
    private final Step step =
        Workflow.newActivityStub(
            Step.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build());

    @Override
    public int run(int count) {
      int last = 0;
      for (int i = 0; i < count; i++) {
        last = step.step(i);
      }
      return last;
    }
  }

  @WorkflowInterface
  public interface Waiting {
    @WorkflowMethod(name = "waiting")
    int run();

    @SignalMethod
    void go(int value);
  }

  public static final class WaitingFlow implements Waiting {
    private int got;

    @Override
    public int run() {
      Workflow.await(() -> got != 0);
      return got;
    }

    @Override
    public void go(int value) {
      got = value;
    }
  }

  @WorkflowInterface
  public interface Sleeper {
    @WorkflowMethod(name = "sleeper")
    void run(long dueMillis);
  }

  public static final class SleeperFlow implements Sleeper {
    @Override
    public void run(long dueMillis) {
      Tally.asleep();
      Workflow.sleep(Duration.ofMillis(dueMillis - Workflow.currentTimeMillis()));
      Tally.awake(dueMillis);
    }
  }

  @WorkflowInterface
  public interface Parent {
    @WorkflowMethod(name = "parent")
    int run(int children);
  }

  public static final class ParentFlow implements Parent {
    @Override
    public int run(int children) {
      List<Promise<Integer>> all = new ArrayList<>();
      for (int i = 0; i < children; i++) {
        Task child = Workflow.newChildWorkflowStub(Task.class);
        all.add(Async.function(child::run, ""));
      }
      Promise.allOf(all).get();
      return all.size();
    }
  }
}
