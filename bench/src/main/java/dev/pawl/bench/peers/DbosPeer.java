package dev.pawl.bench.peers;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** DBOS Transact for Java, in the process and on Postgres, as it is meant to be used. */
public final class DbosPeer implements Peer {
  private static final int POOL = 20;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofDays(1);
  private static final String QUEUE = "bench";
  private static final String NO_QUEUE = "nothing";
  private static final StartWorkflowOptions QUEUED = new StartWorkflowOptions().withQueue(QUEUE);

  private @Nullable HikariDataSource pool;
  private @Nullable DBOS dbos;
  private @Nullable DbosFlows flows;

  /** What DBOS runs. Steps are its {@code runStep}, as its guide shows. */
  private record Flows(DBOS dbos, Role role, Later self) implements DbosFlows {
    @Override
    @Workflow(name = "task")
    public int task(String payload) {
      Tally.executed();
      return payload.length();
    }

    @Override
    @Workflow(name = "steps")
    public int steps(int count) {
      int last = 0;
      for (int i = 0; i < count; i++) {
        int n = i;
        last = dbos.<Integer, RuntimeException>runStep(() -> n, "step");
      }
      return last;
    }

    @Override
    @Workflow(name = "waiting")
    public int waiting() {
      int got = dbos.<Integer>recv("go", LONG).orElse(0);
      dbos.setEvent("done", got);
      return got;
    }

    @Override
    @Workflow(name = "sleeper")
    public int sleeper(long dueMillis) {
      Tally.asleep();
      dbos.sleep(Duration.between(Instant.now(), Instant.ofEpochMilli(dueMillis)));
      Tally.awake(dueMillis);
      return 0;
    }

    @Override
    @Workflow(name = "parent")
    public int parent(int children) {
      List<WorkflowHandle<Integer, RuntimeException>> handles = new ArrayList<>();
      for (int i = 0; i < children; i++) {
        handles.add(dbos.startWorkflow(() -> self.get().task("")));
      }
      int sum = 0;
      for (WorkflowHandle<Integer, RuntimeException> handle : handles) {
        sum += handle.getResult();
      }
      return sum;
    }

    @Override
    @Workflow(name = "blocked")
    public int blocked() {
      dbos.<Integer, RuntimeException>runStep(() -> 1, "first");
      dbos.<RuntimeException>runStep(this::stay, "second");
      return 1;
    }

    private void stay() {
      Tally.executed();
      if (role == Role.DOOMED) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** The proxy of the workflows, for workflows that start others. */
  private static final class Later {
    private @Nullable DbosFlows proxy;

    DbosFlows get() {
      return Objects.requireNonNull(proxy);
    }
  }

  @Override
  public void open(Place place) {
    HikariDataSource connections = Pools.of(place, POOL);
    pool = connections;
    DBOSConfig config =
        DBOSConfig.defaults("bench").withDataSource(connections).withAppVersion("1");
    if (!place.role().works()) {
      // A whole instance, which hears of events at once; a DBOSClient asks for them once a second.
      config = config.withExecutorId("client").withListenQueue(NO_QUEUE);
    }
    DBOS opened = new DBOS(config);
    Later self = new Later();
    flows = opened.registerProxy(DbosFlows.class, new Flows(opened, place.role(), self));
    self.proxy = flows;
    opened.registerQueues(new Queue(QUEUE).withPollingInterval(POLL), new Queue(NO_QUEUE));
    opened.launch();
    dbos = opened;
  }

  private DBOS dbos() {
    return Objects.requireNonNull(dbos, "not open for working");
  }

  private DbosFlows flows() {
    return Objects.requireNonNull(flows, "not open for working");
  }

  @Override
  public String settings() {
    return "dev.dbos:transact %s; %d connections, queue polled every %d ms without limits"
        .formatted(DBOS.version(), POOL, POLL.toMillis());
  }

  @Override
  public String durability() {
    return "Postgres, each checkpoint a commit";
  }

  /** Enqueued by as many threads as there are connections; the API takes one at a time. */
  @Override
  public void tasks(int count, String payload) throws Exception {
    inParallel(count, () -> dbos().startWorkflow(() -> flows().task(payload), QUEUED));
  }

  private static void inParallel(int count, Runnable one) throws Exception {
    List<Future<?>> started = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(POOL)) {
      for (int i = 0; i < count; i++) {
        started.add(threads.submit(one));
      }
      for (Future<?> each : started) {
        each.get();
      }
    }
  }

  @Override
  public void flow(int steps) {
    dbos().<Integer, RuntimeException>startWorkflow(() -> flows().steps(steps)).getResult();
  }

  @Override
  public String startWaiting() throws InterruptedException {
    WorkflowHandle<Integer, RuntimeException> handle =
        dbos().startWorkflow(() -> flows().waiting(), QUEUED);
    while (!handle.getStatus().status().toString().equals("PENDING")) {
      Thread.sleep(5);
    }
    return handle.workflowId();
  }

  /** The answer comes as an event, which is pushed; a result of another process is polled for. */
  @Override
  public void signal(String id) {
    dbos().send(id, 1, "go");
    if (dbos().getEvent(id, "done", Duration.ofMinutes(1)).isEmpty()) {
      throw new IllegalStateException("no answer within a minute");
    }
  }

  @Override
  public void sleepers(int count, Instant due) throws Exception {
    inParallel(count, () -> dbos().startWorkflow(() -> flows().sleeper(due.toEpochMilli())));
  }

  /** A parent waits in its thread: it is never resumed. */
  @Override
  public long fanOut(int children) {
    dbos().<Integer, RuntimeException>startWorkflow(() -> flows().parent(children)).getResult();
    return 0;
  }

  @Override
  public void block(int count) throws Exception {
    inParallel(count, () -> dbos().startWorkflow(() -> flows().blocked()));
  }

  @Override
  public long unfinished() throws SQLException {
    try (Connection connection = Objects.requireNonNull(pool).getConnection();
        ResultSet row =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT count(*) FROM dbos.workflow_status WHERE status IN ('PENDING',"
                        + " 'ENQUEUED')")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void park(int count) throws Exception {
    inParallel(count, () -> dbos().startWorkflow(() -> flows().waiting()));
  }

  @Override
  public int mostParked() {
    return 1000;
  }

  @Override
  public void close() {
    if (dbos != null) {
      dbos.shutdown();
      dbos = null;
    }
    if (pool != null) {
      pool.close();
      pool = null;
    }
  }
}
