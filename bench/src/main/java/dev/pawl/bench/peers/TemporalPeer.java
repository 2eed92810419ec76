package dev.pawl.bench.peers;

import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Temporal's Java SDK on its in-memory test server: nothing it does survives the process. */
public final class TemporalPeer implements Peer {
  private static final String QUEUE = "bench";
  private static final int AT_ONCE = 256;

  private @Nullable TestWorkflowEnvironment environment;

  @Override
  public void open(Place place) {
    TestWorkflowEnvironment opened =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkflowCacheSize(12_000)
                        .setMaxWorkflowThreadCount(24_000)
                        .setUsingVirtualWorkflowThreads(true)
                        .build())
                .build());
    Worker worker =
        opened.newWorker(
            QUEUE,
            WorkerOptions.newBuilder()
                .setMaxConcurrentWorkflowTaskExecutionSize(AT_ONCE)
                .setMaxConcurrentActivityExecutionSize(AT_ONCE)
                .setUsingVirtualThreads(true)
                .build());
    worker.registerWorkflowImplementationTypes(
        TemporalFlows.TaskFlow.class,
        TemporalFlows.StepsFlow.class,
        TemporalFlows.WaitingFlow.class,
        TemporalFlows.SleeperFlow.class,
        TemporalFlows.ParentFlow.class);
    worker.registerActivitiesImplementations(new TemporalFlows.NoStep());
    opened.start();
    environment = opened;
  }

  private TestWorkflowEnvironment environment() {
    return Objects.requireNonNull(environment, "not open");
  }

  private WorkflowClient client() {
    return environment().getWorkflowClient();
  }

  private <T> T stub(Class<T> type) {
    return client().newWorkflowStub(type, WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build());
  }

  @Override
  public String settings() {
    return "Temporal SDK %s with its test server; %d workflow and activity tasks at once, virtual threads"
        .formatted(Versions.of(WorkflowClient.class), AT_ONCE);
  }

  @Override
  public String durability() {
    return "none: everything is in memory";
  }

  @Override
  public void tasks(int count, String payload) {
    IntStream.range(0, count)
        .parallel()
        .forEach(i -> WorkflowClient.start(stub(TemporalFlows.Task.class)::run, payload));
  }

  @Override
  public void flow(int steps) {
    stub(TemporalFlows.Steps.class).run(steps);
  }

  @Override
  public String startWaiting() {
    TemporalFlows.Waiting flow = stub(TemporalFlows.Waiting.class);
    return WorkflowClient.start(flow::run).getWorkflowId();
  }

  @Override
  public void signal(String id) {
    TemporalFlows.Waiting flow = client().newWorkflowStub(TemporalFlows.Waiting.class, id);
    flow.go(1);
    WorkflowStub.fromTyped(flow).getResult(Integer.class);
  }

  @Override
  public void sleepers(int count, Instant due) {
    IntStream.range(0, count)
        .parallel()
        .forEach(
            i -> WorkflowClient.start(stub(TemporalFlows.Sleeper.class)::run, due.toEpochMilli()));
  }

  /** Its server tells nobody how often a workflow was resumed. */
  @Override
  public long fanOut(int children) {
    stub(TemporalFlows.Parent.class).run(children);
    return 0;
  }

  @Override
  public void park(int count) {
    IntStream.range(0, count)
        .parallel()
        .forEach(i -> WorkflowClient.start(stub(TemporalFlows.Waiting.class)::run));
  }

  @Override
  public int mostParked() {
    return 2000;
  }

  @Override
  public void close() {
    if (environment != null) {
      environment.close();
      environment = null;
    }
  }
}
