package dev.pawl.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The four programs that define what every implementation must give, on the real engine. */
@Timeout(120)
class ProgramsTest {
  private final ScriptHouse house = new ScriptHouse();

  @AfterEach
  void close() {
    house.close();
  }

  private void assertGives(String expected, Run run) {
    assertThat(run.status()).as(run.toString()).isEqualTo(Status.SUCCEEDED);
    assertThat(run.result().orElseThrow().text()).isEqualTo(expected);
    house.checkHealth();
  }

  @Test
  void calculates() {
    Run run =
        house.run(
            """
            let qty = 3; let unit = 19.99; let gross = qty * unit; let net = gross - gross / 10
            const label = net > 50 ? "bulk" : "retail"
            return { label, total: Math.round(net), text: "n=" + qty + " ok=" + true + " none=" + null }
            """,
            "null");
    assertGives("{\"label\":\"bulk\",\"total\":54,\"text\":\"n=3 ok=true none=null\"}", run);
    assertThat(house.events(run.id()))
        .as("one commit for the start, one for the whole of the turn")
        .hasExactlyElementsOfTypes(
            Event.Created.class, Event.Leased.class, Event.Pinned.class, Event.Succeeded.class);
  }

  @Test
  void takesInputsApart() {
    Run run =
        house.run(
            """
            const { customer, items } = Inputs
            return { city: customer.address?.city ?? "unknown", note: Inputs.note || "no note", tier: customer.vip && "gold", more: items.concat(["z"], "y") }
            """,
            "{\"customer\":{\"address\":null,\"vip\":true},\"items\":[\"a\",\"b\"],\"note\":\"\"}");
    assertGives(
        "{\"city\":\"unknown\",\"note\":\"no"
            + " note\",\"tier\":\"gold\",\"more\":[\"a\",\"b\",\"z\",\"y\"]}",
        run);
  }

  private static final String VOTES =
      """
      let seen = []
      while (seen.length < 2) {
        let vote = await Promise.race([Signal.next("vote"), Timer.delay(60 * 60)])
        if (!vote) return { status: "expired", seen }
        seen = seen.concat(vote.by)
      }
      return { status: "approved", seen }
      """;

  @Test
  void countsVotes() {
    house.work();
    RunId id = house.start(VOTES, "{}");
    house.settle();
    house.pawl.signal(id, "vote", Map.of("by", "bo"));
    house.settle();
    house.pawl.signal(id, "vote", Map.of("by", "bo"));
    assertGives("{\"status\":\"approved\",\"seen\":[\"bo\",\"bo\"]}", house.finish(id));
  }

  @Test
  void countsVotesThatCameTogether() {
    RunId id = house.start(VOTES, "{}");
    house.pawl.signal(id, "vote", Map.of("by", "bo"));
    house.pawl.signal(id, "vote", Map.of("by", "bo"));
    house.work();
    assertGives("{\"status\":\"approved\",\"seen\":[\"bo\",\"bo\"]}", house.finish(id));
    assertThat(house.resumes(id)).isZero();
  }

  @Test
  void givesUpOnVotes() {
    assertGives("{\"status\":\"expired\",\"seen\":[]}", house.run(VOTES, "{}"));
  }

  @Test
  void undoesWhatItBooked() {
    house.task("book-flight", "{\"id\":7}");
    house.failing("book-hotel", "full");
    house.task("cancel-flight", "null");
    Run run =
        house.run(
            """
            async function main() {
              let undo = []
              try {
                let flight = await Task.run("book-flight", {}); undo.push({ task: "cancel-flight", id: flight.id })
                let hotel = await Task.run("book-hotel", {})
                return { ok: true, hotel: hotel.id }
              } catch (err) {
                for (let u of undo) { await Task.run(u.task, { id: u.id }) }
                return { ok: false, why: err.message }
              }
            }
            """,
            "{}");
    assertGives("{\"ok\":false,\"why\":\"full\"}", run);
    assertThat(house.done)
        .containsExactly("book-flight {}", "book-hotel {}", "cancel-flight {\"id\":7}");
  }
}
