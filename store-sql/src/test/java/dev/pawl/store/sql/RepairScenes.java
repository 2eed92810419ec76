package dev.pawl.store.sql;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.doctor.Doctor;
import dev.pawl.doctor.Repair;
import dev.pawl.doctor.Violation;
import dev.pawl.flow.Flow;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Store;
import dev.pawl.testkit.Await;
import dev.pawl.work.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rows that somebody has broken by hand are rebuilt from their logs, and their runs go on. The same
 * for every SQL store.
 */
@Timeout(60)
public abstract class RepairScenes {
  private static final Task<Integer, Integer> DOUBLE =
      Task.of("repair.double.v1", Integer.class, Integer.class, n -> n * 2);
  private static final Flow<Integer, String> WAITING =
      Flow.define(
          "repair.waiting.v1",
          Integer.class,
          String.class,
          (ctx, in) -> {
            ctx.step("first", () -> {});
            ctx.pollEvent("never", String.class, ofDays(1000));
            return "never";
          });
  private static final Flow<Integer, String> LISTENING =
      Flow.define(
          "repair.listening.v1",
          Integer.class,
          String.class,
          (ctx, in) -> ctx.awaitSignal("go", String.class));

  protected abstract Store open();

  /** The name of the table of runs. */
  protected abstract String table();

  /** SQL by which every log loses its second entry. */
  protected abstract String losingTheLease();

  /** The condition that a row is this run's. */
  protected abstract String isRun(RunId id);

  /** Executes SQL behind the store's back. */
  protected abstract void execute(String sql);

  private void breakRow(RunId id, String set) {
    execute("UPDATE " + table() + " SET " + set + " WHERE " + isRun(id));
  }

  private static List<Violation> violations(Store store, RunId id) {
    List<Violation> found = new ArrayList<>();
    Doctor.check(store, id, found::add);
    return found;
  }

  private static void repair(Store store, RunId id) {
    assertThat(violations(store, id)).as("it is broken").isNotEmpty();
    Repair.Plan plan = Repair.plan(store, id);
    assertThat(plan).isInstanceOf(Repair.Rebuild.class);
    assertThat(Repair.carryOut(store, (Repair.Rebuild) plan)).isTrue();
    assertThat(violations(store, id)).as("it is well again").isEmpty();
  }

  @Test
  void aFinishedRunThatLostItsEnd() {
    try (Pawl pawl = Pawl.open(open()).register(DOUBLE)) {
      pawl.work();
      RunHandle<Integer> run = pawl.start(DOUBLE, 21);
      assertThat(run.result(ofSeconds(20))).isEqualTo(42);
      Run before = run.run();
      pawl.pause(DOUBLE.type());

      breakRow(run.id(), "status = 'pending', result = NULL, attempt = 9, finished_at = NULL");
      repair(pawl.store(), run.id());

      assertThat(run.run()).isEqualTo(before);
    }
  }

  @Test
  void aPendingRunOfAnotherTypeAndPayload() {
    try (Pawl pawl = Pawl.open(open()).register(DOUBLE)) {
      RunHandle<Integer> run = pawl.start(DOUBLE, 4, o -> o.key("four").tag("a", "b"));
      Run before = run.run();

      breakRow(run.id(), "type = 'nobody.knows.v1', payload = '5', priority = 1, tags = NULL");
      repair(pawl.store(), run.id());

      assertThat(run.run()).isEqualTo(before);
      pawl.work();
      assertThat(run.result(ofSeconds(20))).isEqualTo(8);
    }
  }

  @Test
  void aRunThatForgotHowLongItIsKept() {
    try (Pawl pawl = Pawl.open(open()).register(DOUBLE)) {
      RunHandle<Integer> kept = pawl.start(DOUBLE, 4, o -> o.ttl(ofDays(7)));
      RunHandle<Integer> plain = pawl.start(DOUBLE, 4);
      Run before = kept.run();

      breakRow(kept.id(), "ttl = NULL");
      breakRow(plain.id(), "ttl = 1");
      assertThat(violations(pawl.store(), plain.id()))
          .singleElement()
          .satisfies(found -> assertThat(found.toString()).contains("S6").contains("ttl"));
      repair(pawl.store(), kept.id());
      repair(pawl.store(), plain.id());

      assertThat(kept.run()).isEqualTo(before);
      assertThat(plain.run().ttl()).isEmpty();
    }
  }

  @Test
  void aSuspendedRunThatNothingCouldWake() {
    try (Pawl pawl = Pawl.open(open()).register(LISTENING)) {
      pawl.work();
      RunHandle<String> run = pawl.start(LISTENING, 1);
      Await.until("it waits", () -> run.run().status() == Status.SUSPENDED);
      breakRow(run.id(), "wake_after = 0, wakes = 7");
      repair(pawl.store(), run.id());

      run.signal("go", "gone");
      assertThat(run.result(ofSeconds(20))).isEqualTo("gone");
      assertThat(violations(pawl.store(), run.id())).isEmpty();
    }
  }

  @Test
  void aSuspendedRunThatClaimsToRun() {
    try (Pawl pawl = Pawl.open(open()).register(WAITING)) {
      pawl.work();
      RunHandle<String> run = pawl.start(WAITING, 1);
      Await.until("it waits", () -> run.run().status() == Status.SUSPENDED);
      long epoch = run.run().epoch();
      breakRow(run.id(), "epoch = 1000, crashes = 3, attempt = 0");
      repair(pawl.store(), run.id());

      Await.until(
          "it was woken and waits again",
          () -> run.run().epoch() == epoch + 1 && run.run().status() == Status.SUSPENDED);
      assertThat(violations(pawl.store(), run.id())).isEmpty();
    }
  }

  @Test
  void whatCannotBeRepairedIsSaid() {
    try (Pawl pawl = Pawl.open(open()).register(DOUBLE)) {
      pawl.work();
      RunHandle<Integer> run = pawl.start(DOUBLE, 21);
      assertThat(run.result(ofSeconds(20))).isEqualTo(42);
      execute(losingTheLease());

      Store store = pawl.store();
      assertThat(violations(store, run.id())).isNotEmpty();
      assertThat(Repair.plan(store, run.id()))
          .isInstanceOfSatisfying(
              Repair.Hopeless.class,
              plan -> assertThat(plan.why()).contains("its log itself is damaged"));
    }
  }

  @Test
  void aRowThatChangedMeanwhileIsLeftAlone() {
    try (Pawl pawl = Pawl.open(open()).register(DOUBLE)) {
      RunHandle<Integer> run = pawl.start(DOUBLE, 4);
      breakRow(run.id(), "priority = 1");
      Repair.Rebuild plan = (Repair.Rebuild) Repair.plan(pawl.store(), run.id());
      breakRow(run.id(), "priority = 2");

      assertThat(Repair.carryOut(pawl.store(), plan)).isFalse();
      assertThat(run.run().priority()).isEqualTo(2);
    }
  }

  @Test
  void aKeyThatBelongsToAnotherIsNotTaken() {
    try (Pawl pawl = Pawl.open(open()).register(DOUBLE)) {
      RunHandle<Integer> run = pawl.start(DOUBLE, 4, o -> o.key("mine"));
      breakRow(run.id(), "idempotency_key = NULL");
      pawl.start(DOUBLE, 5, o -> o.key("mine"));
      Repair.Rebuild plan = (Repair.Rebuild) Repair.plan(pawl.store(), run.id());

      org.assertj.core.api.Assertions.assertThatThrownBy(() -> Repair.carryOut(pawl.store(), plan))
          .hasMessageContaining("the key 'mine' belongs to");
    }
  }
}
