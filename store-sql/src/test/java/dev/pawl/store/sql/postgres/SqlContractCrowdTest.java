package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.RunId;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many workers in SQL at once. */
@Timeout(180)
class SqlContractCrowdTest {
  private static final int RUNS = 2_000;
  private static final int WORKERS = 8;

  @Test
  void eachRunIsCarriedOutByOneOfThem() throws Exception {
    try (Inbox inbox = Inbox.open()) {
      inbox.change(
          "insert into workflow.workflow_run (type, payload) select 'billing.t' || i % 3 || '.v1',"
              + " to_json(i) from generate_series(1, "
              + RUNS
              + ") i");
      Queue<String> done = new ConcurrentLinkedQueue<>();

      atOnce(worker -> work("w-" + worker, done));

      assertThat(done).hasSize(RUNS).doesNotHaveDuplicates();
      assertThat(
              inbox.ask(
                  "select status, attempt, epoch, count(*) from workflow.workflow_run group by 1,"
                      + " 2, 3"))
          .containsExactly("succeeded|1|2|" + RUNS);
      inbox.isSound();
    }
  }

  @Test
  void ofManyWhoCancelOneRunOneDoes() throws Exception {
    try (Inbox inbox = Inbox.open()) {
      RunId id = inbox.insertOf("billing.a.v1");
      Queue<Integer> changed = new ConcurrentLinkedQueue<>();

      atOnce(worker -> changed.add(cancel(id)));

      assertThat(changed.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
      assertThat(inbox.kinds(id)).isEqualTo("created cancelled");
      inbox.isSound();
    }
  }

  private interface Worker {
    void run(int number) throws SQLException;
  }

  private static void atOnce(Worker worker) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(WORKERS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        int number = i;
        all.add(
            threads.submit(() -> {
              worker.run(number);
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static void work(String name, Collection<String> done) throws SQLException {
    try (Connection connection = PostgresServer.connect(Inbox.url());
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (true) {
        String id;
        try (ResultSet found = statement.executeQuery(Inbox.words("claim"))) {
          if (!found.next()) {
            return;
          }
          id = found.getString(1);
        }
        statement.executeUpdate(Inbox.words("lease", Map.of("run_id", id, "worker_id", name)));
        connection.commit();
        done.add(id);
        statement.executeUpdate(
            "update workflow.workflow_run set status = 'succeeded', result = 'true' where id = '"
                + id
                + "' and status = 'leased' and leased_by = '"
                + name
                + "'");
        connection.commit();
      }
    }
  }

  private static int cancel(RunId id) throws SQLException {
    try (Connection connection = PostgresServer.connect(Inbox.url());
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(Inbox.words("cancel", id));
    }
  }
}
