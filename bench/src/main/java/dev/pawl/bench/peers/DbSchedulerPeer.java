package dev.pawl.bench.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** db-scheduler with lock-and-fetch, set for throughput as its documentation describes. */
public final class DbSchedulerPeer implements Peer {
  private static final int THREADS = 20;
  private static final double LOWER = 1.0;
  private static final double UPPER = 4.0;
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);
  private static final int MISSED_HEARTBEATS = 6;

  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS scheduled_tasks (
        task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
        execution_time timestamptz NOT NULL, picked boolean NOT NULL, picked_by text,
        last_success timestamptz, last_failure timestamptz, consecutive_failures int,
        last_heartbeat timestamptz, version bigint NOT NULL, priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX IF NOT EXISTS scheduled_tasks_due ON scheduled_tasks (execution_time);
      CREATE INDEX IF NOT EXISTS scheduled_tasks_beat ON scheduled_tasks (last_heartbeat);
      """;

  private final AtomicLong ids = new AtomicLong();
  private @Nullable HikariDataSource pool;
  private @Nullable Scheduler scheduler;
  private @Nullable Role role;

  private final OneTimeTask<String> task =
      Tasks.oneTime("task", String.class).execute((instance, context) -> Tally.executed());
  private final OneTimeTask<Long> sleeper =
      Tasks.oneTime("sleeper", Long.class)
          .execute((instance, context) -> Tally.awake(instance.getData()));
  private final OneTimeTask<Void> blocked =
      Tasks.oneTime("blocked").execute((instance, context) -> stay());

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

  @Override
  public void open(Place place) throws SQLException {
    role = place.role();
    int threads = place.role() == Role.DOOMED ? place.concurrency() : THREADS;
    HikariDataSource connections = Pools.of(place, THREADS + 4);
    pool = connections;
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
    Scheduler opened =
        Scheduler.create(connections, task, sleeper, blocked)
            .threads(threads)
            .pollUsingLockAndFetch(LOWER, UPPER)
            .pollingInterval(POLL)
            .enableImmediateExecution()
            .heartbeatInterval(HEARTBEAT)
            .missedHeartbeatsLimit(MISSED_HEARTBEATS)
            .shutdownMaxWait(Duration.ofSeconds(1))
            .build();
    opened.start();
    scheduler = opened;
  }

  private Scheduler scheduler() {
    return Objects.requireNonNull(scheduler, "not open");
  }

  @Override
  public String settings() {
    return ("db-scheduler %s; lock-and-fetch %.0f/%.0f, %d threads, polled every %d s with"
            + " immediate execution, dead after %d s")
        .formatted(
            Versions.of(Scheduler.class),
            LOWER,
            UPPER,
            THREADS,
            POLL.toSeconds(),
            HEARTBEAT.toSeconds() * MISSED_HEARTBEATS);
  }

  @Override
  public String durability() {
    return "Postgres, each execution commits on its own";
  }

  @Override
  public void tasks(int count, String payload) {
    scheduler().scheduleBatch(instances(count, id -> task.instance(id, payload)), Instant.now());
  }

  private interface Maker {
    TaskInstance<?> make(String id);
  }

  private Stream<TaskInstance<?>> instances(int count, Maker maker) {
    long from = ids.getAndAdd(count);
    return LongStream.range(from, from + count).mapToObj(id -> maker.make(Long.toString(id)));
  }

  @Override
  public void sleepers(int count, Instant due) {
    scheduler()
        .scheduleBatch(instances(count, id -> sleeper.instance(id, due.toEpochMilli())), due);
    for (int i = 0; i < count; i++) {
      Tally.asleep();
    }
  }

  @Override
  public void block(int count) {
    scheduler().scheduleBatch(instances(count, blocked::instance), Instant.now());
  }

  @Override
  public long unfinished() throws SQLException {
    try (Connection connection = Objects.requireNonNull(pool).getConnection();
        ResultSet row =
            connection.createStatement().executeQuery("SELECT count(*) FROM scheduled_tasks")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    if (scheduler != null) {
      scheduler.stop();
      scheduler = null;
    }
    if (pool != null) {
      pool.close();
      pool = null;
    }
  }
}
