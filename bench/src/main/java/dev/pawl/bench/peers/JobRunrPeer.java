package dev.pawl.bench.peers;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jspecify.annotations.Nullable;

/** JobRunr, the open source edition, on virtual threads as it does by default. */
public final class JobRunrPeer implements Peer {
  private static final int POOL = 20;
  private static final Duration POLL = Duration.ofSeconds(5);

  private static volatile Role role = Role.ALONE;

  private @Nullable HikariDataSource pool;
  private @Nullable JobScheduler scheduler;

  @Override
  public void open(Place place) {
    role = place.role();
    HikariDataSource connections = Pools.of(place, POOL);
    pool = connections;
    BackgroundJobServerConfiguration server =
        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
            .andPollInterval(POLL)
            .andInterruptJobsAwaitDurationOnStopBackgroundJobServer(Duration.ofSeconds(1));
    if (place.role() == Role.DOOMED) {
      server = server.andWorkerCount(place.concurrency());
    }
    scheduler =
        JobRunr.configure()
            .useStorageProvider(new PostgresStorageProvider(connections))
            .useBackgroundJobServer(server)
            .initialize()
            .getJobScheduler();
  }

  private JobScheduler scheduler() {
    return Objects.requireNonNull(scheduler, "not open");
  }

  @Override
  public String settings() {
    return "JobRunr %s; %d connections, virtual threads in the default number, polled every %d s"
        .formatted(Versions.of(JobRunr.class), POOL, POLL.toSeconds());
  }

  @Override
  public String durability() {
    return "Postgres, each change of a job's state is written";
  }

  @Override
  public void tasks(int count, String payload) {
    scheduler().<String>enqueue(Stream.generate(() -> payload).limit(count), text -> task(text));
  }

  /** Called by JobRunr. */
  public static void task(String payload) {
    Tally.executed();
  }

  @Override
  public void sleepers(int count, Instant due) {
    long dueMillis = due.toEpochMilli();
    IntStream.range(0, count)
        .parallel()
        .forEach(i -> {
          scheduler().schedule(due, () -> sleeper(dueMillis));
          Tally.asleep();
        });
  }

  /** Called by JobRunr. */
  public static void sleeper(long dueMillis) {
    Tally.awake(dueMillis);
  }

  @Override
  public void block(int count) {
    scheduler().<Integer>enqueue(IntStream.range(0, count).boxed(), i -> blocked(i));
  }

  /** Called by JobRunr. */
  public static void blocked(int number) throws InterruptedException {
    Tally.executed();
    if (role == Role.DOOMED) {
      new CountDownLatch(1).await();
    }
  }

  @Override
  public long unfinished() throws SQLException {
    try (Connection connection = Objects.requireNonNull(pool).getConnection();
        ResultSet row =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT count(*) FROM jobrunr_jobs WHERE state NOT IN ('SUCCEEDED',"
                        + " 'DELETED')")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() {
    if (scheduler != null) {
      JobRunr.destroy();
      scheduler = null;
    }
    if (pool != null) {
      pool.close();
      pool = null;
    }
  }
}
