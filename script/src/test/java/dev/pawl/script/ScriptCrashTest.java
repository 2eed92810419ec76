package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.json.Json;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.work.FailedException;
import dev.pawl.work.Task;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Scripts end the same way, whenever their process is killed. */
@Timeout(300)
class ScriptCrashTest {
  private static final String SOURCE =
      """
      const made = uuid()
      const order = { id: Inputs.id, made, lines: [] }
      const same = order
      log("began", order.id)
      const prices = await Promise.all(["lamp", "desk"].map(async name => {
        const price = await Task.run("price", name)
        await Timer.delay("5m")
        return { name, price: await Task.run("tax", price) }
      }))
      same.lines = prices
      let how = "none"
      try {
        await Task.run("broken", 1)
      } catch (e) {
        how = e.code
      } finally {
        await Task.run("tax", 0)
      }
      const vote = await Promise.race([Signal.next("vote"), Timer.delay("1d")])
      const rate = await Event.next("rates")
      const child = await Workflow.run("crash.inner", { n: order.lines.length })
      return { id: order.id, kept: order.made === made, lines: order.lines, how, vote, rate, child }
      """;
  private static final String RESULT =
      "{\"id\":17,\"kept\":true,\"lines\":[{\"name\":\"lamp\",\"price\":5},{\"name\":\"desk\",\"price\":5}],"
          + "\"how\":\"BROKEN\",\"vote\":\"yes\",\"rate\":1.5,\"child\":4}";

  private static final class Story implements CrashSweep.Story {
    @Override
    public void register(Pawl process) {
      process.register(Scripts.all());
      process.register(Task.json("price", (context, name) -> Json.number(4)));
      process.register(
          Task.json("tax", (context, price) -> Json.number(Long.parseLong(price.text()) + 1)));
      process.register(
          Task.json(
              "broken",
              (context, input) -> {
                throw FailedException.permanent("BROKEN", "it is");
              }));
    }

    @Override
    public RunId begin(Pawl outside) {
      Scripts.deploy(outside, "crash.outer", SOURCE);
      Scripts.deploy(outside, "crash.inner", "await Timer.delay(60)\nreturn Inputs.n * 2");
      RunId run =
          outside.start("crash.outer", Json.parse("{\"id\":17}"), o -> o.maxAttempts(100)).id();
      outside.signal(run, "vote", "yes");
      outside.emit("rates", 1.5);
      return run;
    }

    @Override
    public void check(Pawl outside, Run run) {
      assertThat(run.status()).as(run.toString()).isEqualTo(Status.SUCCEEDED);
      assertThat(run.result().orElseThrow().text()).isEqualTo(RESULT);
    }
  }

  @Test
  void aScriptEndsTheSameWhereverItsProcessIsKilled() {
    assertThat(new CrashSweep(MemoryStore::new).killAtEveryCheckpoint(new Story()))
        .isGreaterThan(20);
  }

  @Test
  void aScriptEndsTheSameIfEveryProcessDiesAfterOneCommit() {
    assertThat(new CrashSweep(MemoryStore::new).killAfterEvery(1, new Story())).isGreaterThan(10);
  }
}
