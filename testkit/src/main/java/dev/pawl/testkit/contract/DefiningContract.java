package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.store.Outcome;
import dev.pawl.testkit.Turn;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Definitions: kept by their hash, the newest of a type first; and runs that are bound to one. */
abstract class DefiningContract extends Area {
  private static final Definition FIRST = Definition.of("a.v1", "script", "return 1");
  private static final Definition SECOND = Definition.of("a.v1", "script", "return 2");
  private static final Definition OTHER = Definition.of("b.v1", "graph", "{}");

  private boolean deploy(Definition definition) {
    return store.expect(Outcome.Deployed.class, new Command.Deploy(definition)).fresh();
  }

  @Test
  void aDefinitionIsFoundByItsHash() {
    assertThat(deploy(FIRST)).isTrue();

    assertThat(store.store().definition(FIRST.hash())).contains(FIRST);
    assertThat(store.store().definition(SECOND.hash())).isEmpty();
  }

  @Test
  void theNewestOfATypeComesFirst() {
    deploy(FIRST);
    deploy(OTHER);
    deploy(SECOND);

    assertThat(store.store().definitions("a.v1")).containsExactly(SECOND, FIRST);
    assertThat(store.store().definitions("b.v1")).containsExactly(OTHER);
    assertThat(store.store().definitions("c.v1")).isEmpty();
    assertThat(store.store().newestDefinition("a.v1")).contains(SECOND);
    assertThat(store.store().newestDefinition("c.v1")).isEmpty();
    assertThat(store.store().definedTypes()).containsExactly("a.v1", "b.v1");
  }

  @Test
  void whatIsDeployedAgainIsTheNewestAgain() {
    deploy(FIRST);
    deploy(SECOND);

    assertThat(deploy(FIRST)).isFalse();

    assertThat(store.store().definitions("a.v1")).containsExactly(FIRST, SECOND);
  }

  @Test
  void twoDeployedInOneBatchKeepTheirOrder() {
    List<Outcome> outcomes = store.commit(new Command.Deploy(SECOND), new Command.Deploy(FIRST));

    assertThat(outcomes).containsOnly(new Outcome.Deployed(true));
    assertThat(store.store().definitions("a.v1")).containsExactly(FIRST, SECOND);
  }

  @Test
  void oddSourcesSurvive() {
    Definition odd = Definition.of("a.v1", "script", "\u0000 \ud800 \"\\ \n ${x} \uD83D\uDE00");

    deploy(odd);

    assertThat(store.store().definition(odd.hash())).contains(odd);
    assertThat(store.store().definition(odd.hash()).orElseThrow().isSound()).isTrue();
  }

  @Test
  void aLongSourceSurvives() {
    Definition large = Definition.of("a.v1", "script", "x".repeat(1 << 20));

    deploy(large);

    assertThat(store.store().definition(large.hash())).contains(large);
  }

  @Test
  void aRunIsPinnedWithTheEndOfItsTurn() {
    Turn turn = store.begin(newRun());

    turn.must(new Event.Pinned(FIRST.hash()), new Event.Succeeded(Json.NULL));

    assertThat(store.run(turn.id()).definition()).contains(FIRST.hash());
  }

  @Test
  void aRunIsPinnedInTheMiddleOfItsTurnAndStaysSo() {
    Turn turn = store.begin(newRun());

    turn.must(new Event.Pinned(FIRST.hash()));
    assertThat(store.run(turn.id()).definition()).contains(FIRST.hash());

    turn.suspendUntil(store.now().plusMillis(1));
    store.clock().advanceMillis(1);
    assertThat(store.claimOnly(turn.id()).run().definition()).contains(FIRST.hash());
  }
}
