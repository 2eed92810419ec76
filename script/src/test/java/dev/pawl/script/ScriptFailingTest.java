package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.script.lang.Limits;
import dev.pawl.testkit.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How scripts fail. */
@Timeout(120)
class ScriptFailingTest extends ScriptTesting {
  @Test
  void anErrorNobodyCaughtFailsTheRunWithTheScriptsStack() {
    Failure failure =
        fail(
            house.run(
                """
                function reserve(item) {
                  throw new Error(`no ${item} left`, { code: "OUT_OF_STOCK", data: { item } })
                }
                reserve("lamp")
                """,
                "{}"));
    assertThat(failure.code()).isEqualTo("OUT_OF_STOCK");
    assertThat(failure.message()).isEqualTo("no lamp left");
    assertThat(failure.data().text()).isEqualTo("{\"item\":\"lamp\"}");
    assertThat(failure.stack()).contains("reserve", "2:");
    assertThat(failure.source().kind()).isEqualTo("run");
  }

  @Test
  void anErrorThatIsWorthItIsRetriedFromTheTop() {
    house.echo("echo");
    Run run =
        house.run(
            """
            const n = await Task.run("echo", Context.attempt)
            if (n < 3) throw new Error("again", { retryable: true })
            return n
            """,
            "{}");
    assertThat(succeed(run)).isEqualTo("3");
    assertThat(house.events(run.id(), Event.Retried.class)).hasSize(2);
  }

  @Test
  void theFailureOfATaskIsNotRetriedByItsCaller() {
    house.task(
        "flaky",
        (context, input) -> {
          throw new IllegalStateException("always");
        });
    Run run = house.run("return await Task.run('flaky')", "{}");
    assertThat(fail(run).source().name()).isEqualTo("flaky");
    assertThat(house.done).hasSize(3);
    assertThat(house.events(run.id(), Event.Retried.class)).isEmpty();
  }

  @Test
  void aLoopWithoutEndFailsAndTheWorkerIsFine() {
    house.close();
    house = new ScriptHouse(Limits.DEFAULT.withOperations(1_000_000));
    Run run = house.run("while (true) {}", "{}");
    assertThat(fail(run).code()).isEqualTo("LIMIT_EXCEEDED");
    assertThat(succeed(house.run("return 1", "{}"))).isEqualTo("1");
  }

  @Test
  void aDamagedSnapshotFailsTheRunWithAClearError() {
    RunId id = house.start("await Signal.next('go')\nreturn 1", "{}");
    Damage damage = new Damage(house.store);
    try (Pawl broken = Pawl.open(damage).register(Scripts.all())) {
      broken.work(w -> w.poll(Duration.ofMillis(2)));
      Await.until("it is suspended", () -> house.pawl.get(id).status() == Status.SUSPENDED);
    }
    house.pawl.signal(id, "go", 1);
    house.work();
    Failure failure = fail(house.finish(id));
    assertThat(failure.code()).isEqualTo("SNAPSHOT_CORRUPT");
    assertThat(failure.message()).contains("damaged");
  }

  @Test
  void aScriptHasNoStepsToGoBackTo() {
    RunId id = house.run("return 1", "{}").id();
    assertThatThrownBy(() -> house.pawl.rewind(id, "charge"))
        .isInstanceOfSatisfying(
            PawlException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining("no steps");
    assertThatThrownBy(() -> house.pawl.fork(id, "charge")).hasMessageContaining("no steps");
  }
}
