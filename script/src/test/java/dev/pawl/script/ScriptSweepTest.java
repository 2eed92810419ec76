package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.store.Definition;
import dev.pawl.testkit.CrashReport;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.testkit.PawlTest;
import dev.pawl.work.Task;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scripts under the tools for users' own programs. */
@Timeout(120)
class ScriptSweepTest {
  private static final Definition INNER =
      Scripts.define("sweep.inner", "await Timer.delay('1h')\nreturn Inputs.n * 2");
  private static final Definition OUTER =
      Scripts.define(
          "sweep.outer",
          """
          const paid = await Task.run("pay", { cents: Inputs.cents })
          await Timer.delay("30d")
          const vote = await Signal.next("vote")
          const twice = await Workflow.run("sweep.inner", { n: paid })
          return { twice, vote }
          """);

  @Test
  void aScriptIsSweptWithItsTasks() {
    CrashReport report =
        CrashSweep.of(Scripts::all, OUTER, INNER)
            .with(effects ->
                Task.json(
                    "pay",
                    (context, in) -> {
                      effects.addOnce(context.idempotencyKey(), "paid");
                      return Json.number(21);
                    }))
            .input(Map.of("cents", 2100))
            .afterStart((pawl, run) -> pawl.signal(run, "vote", "yes"))
            .run()
            .assertSound();

    assertThat(report.end()).isEqualTo("succeeded {\"twice\":42,\"vote\":\"yes\"}");
    assertThat(report.kills()).isGreaterThan(10);
    assertThat(report.step("task pay").most()).isEqualTo(2);
  }

  @Test
  void aMonthOfAScriptPassesAtOnce() {
    try (PawlTest pawl =
        PawlTest.of(Task.json("pay", (context, in) -> Json.number(1)))
            .with(Scripts::all, OUTER, INNER)) {
      var run = pawl.start("sweep.outer", Map.of("cents", 1));
      pawl.signal(run, "vote", "no");

      assertThat(pawl.result(run)).isEqualTo(Json.parse("{\"twice\":2,\"vote\":\"no\"}"));
    }
  }
}
