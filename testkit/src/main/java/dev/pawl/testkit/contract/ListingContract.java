package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newChild;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Count;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists in pages, logs of several runs, counts, and what is known of types. */
abstract class ListingContract extends Area {

  @Test
  void runsAreListedNewestFirst() {
    RunId first = store.start();
    RunId second = store.start();
    RunId third = store.start();

    assertThat(list(Query.all())).containsExactly(third, second, first);
  }

  @Test
  void aListedRunIsTheWholeRun() {
    RunId id = store.start(newRun().withKey("k").withTags(Map.of("a", "b")));

    assertThat(store.store().list(Query.all())).containsExactly(store.run(id));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 50})
  void pagesCoverEverythingOnce(int size) {
    List<RunId> started = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      started.addFirst(store.start());
    }

    assertThat(pages(Query.all().withLimit(size), () -> {})).isEqualTo(started);
  }

  @Test
  void writesBetweenPagesNeitherRepeatNorHideWhatWasThere() {
    List<RunId> started = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      started.addFirst(store.start());
    }

    List<RunId> listed =
        pages(
            Query.all().withLimit(3),
            () -> {
              store.start();
              store.claim(2).forEach(turn -> turn.checkpoint("one"));
              store.claim(1).forEach(Turn::succeed);
            });

    assertThat(listed).isEqualTo(started);
  }

  @Test
  void logsOfSeveralRunsAreReadUpToAPlace() {
    RunId idle = store.start();
    RunId busy = store.start();
    RunId notAsked = store.start();
    RunId unknown = newRun().id();
    for (Turn turn : store.claim(3)) {
      turn.checkpoint("one");
      turn.checkpoint("two");
    }

    Map<RunId, List<Entry>> logs = store.store().logs(List.of(busy, unknown, idle), 3);

    assertThat(logs)
        .isEqualTo(
            Map.of(
                idle, store.log(idle).subList(0, 3),
                busy, store.log(busy).subList(0, 3),
                unknown, List.of()));
    assertThat(store.store().logs(List.of(notAsked), 100))
        .isEqualTo(Map.of(notAsked, store.log(notAsked)));
    assertThat(store.store().logs(List.of(), 3)).isEmpty();
  }

  @Test
  void aPageAfterTheLastIsEmpty() {
    RunId only = store.start();

    assertThat(list(Query.all().withAfter(only))).isEmpty();
  }

  @Test
  void listsAreFilteredByStatus() {
    RunId pending = store.start();
    Turn running = store.begin();
    Turn suspended = store.begin();
    suspended.suspendFor(Turn.signal("go"));
    Turn succeeded = store.begin();
    succeeded.succeed();
    Turn failed = store.begin();
    failed.fail("BROKEN");
    RunId cancelled = store.start();
    store.cancel(cancelled);

    assertThat(list(Query.all().withStatus(Status.PENDING))).containsExactly(pending);
    assertThat(list(Query.all().withStatus(Status.RUNNING))).containsExactly(running.id());
    assertThat(list(Query.all().withStatus(Status.SUSPENDED))).containsExactly(suspended.id());
    assertThat(list(Query.all().withStatus(Status.FAILED, Status.SUCCEEDED)))
        .containsExactly(failed.id(), succeeded.id());
    assertThat(list(Query.all().withStatus(Status.CANCELLED))).containsExactly(cancelled);
    assertThat(list(Query.all().withStatus(Status.values()))).hasSize(6);
  }

  @Test
  void listsAreFilteredByTypeAndByPrefix() {
    RunId invoice = store.start("billing.invoice.v1");
    RunId refund = store.start("billing.refund.v1");
    store.start("billingXinvoice.v1");
    store.start("Billing.invoice.v1");

    assertThat(list(Query.all().withType("billing.invoice.v1"))).containsExactly(invoice);
    assertThat(list(Query.all().withType("billing.%"))).containsExactly(refund, invoice);
    assertThat(list(Query.all().withType("billing_%"))).isEmpty();
    assertThat(list(Query.all().withType("%"))).hasSize(4);
    assertThat(list(Query.all().withType("unknown.v1"))).isEmpty();
  }

  @Test
  void listsAreFilteredByParent() {
    Turn parent = store.begin();
    NewRun awaited = newChild(parent.id(), Bond.AWAITED);
    NewRun detached = newChild(parent.id(), Bond.DETACHED);
    parent.draft(Turn.step("one")).starting(awaited, detached).must();
    store.start();

    assertThat(list(Query.all().withParent(parent.id())))
        .containsExactly(detached.id(), awaited.id());
    assertThat(list(Query.all().withParent(awaited.id()))).isEmpty();
  }

  @Test
  void listsAreFilteredByWorker() {
    store.start();
    Turn mine = store.claimOne("me");
    store.start();
    store.claimOne("you");
    store.start();

    assertThat(list(Query.all().withWorker("me"))).containsExactly(mine.id());
    mine.succeed();
    assertThat(list(Query.all().withWorker("me"))).isEmpty();
  }

  @Test
  void filtersAreCombined() {
    Turn parent = store.begin();
    List<NewRun> children = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      children.add(newChild(parent.id(), Bond.AWAITED));
    }
    parent.draft(Turn.step("one")).starting(children).must();
    store.start("test.child.v1");
    List<Turn> claimed = store.claim(3, "test.child.v1");
    claimed.getFirst().succeed();

    Query query =
        Query.all()
            .withParent(parent.id())
            .withType("test.%")
            .withStatus(Status.RUNNING)
            .withWorker(StoreFixture.WORKER);

    assertThat(list(query)).containsExactlyInAnyOrder(claimed.get(1).id(), claimed.get(2).id());
    assertThat(pages(query.withLimit(1), () -> {})).hasSize(2);
  }

  @Test
  void filteredPagesCoverEverythingOnce() {
    List<RunId> wanted = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      wanted.addFirst(store.start("a.v1"));
      store.start("b.v1");
    }

    assertThat(pages(Query.all().withType("a.v1").withLimit(5), () -> {})).isEqualTo(wanted);
  }

  @Test
  void aListWithoutRunsIsEmpty() {
    assertThat(store.store().list(Query.all())).isEmpty();
  }

  // ---- counts and types ----

  @Test
  void runsAreCountedByTypeAndStatus() {
    store.start("a.v1");
    store.start("a.v1");
    store.begin(newRun("a.v1"));
    store.begin(newRun("b.v1")).succeed();

    assertThat(store.store().counts())
        .containsExactlyInAnyOrder(
            new Count("a.v1", Status.PENDING, 2),
            new Count("a.v1", Status.RUNNING, 1),
            new Count("b.v1", Status.SUCCEEDED, 1));
  }

  @Test
  void countsFollowTheRuns() {
    Turn turn = store.begin();
    assertThat(store.store().counts())
        .containsExactly(new Count(StoreFixture.TYPE, Status.RUNNING, 1));
    turn.suspendFor(Turn.signal("go"));
    assertThat(store.store().counts())
        .containsExactly(new Count(StoreFixture.TYPE, Status.SUSPENDED, 1));
    store.cancel(turn.id());
    assertThat(store.store().counts())
        .containsExactly(new Count(StoreFixture.TYPE, Status.CANCELLED, 1));
    store.delete(turn.id());
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, Duration.ZERO, 1);
    assertThat(store.store().counts()).isEmpty();
  }

  @Test
  void aConfiguredTypeIsKnown() {
    TypeState state = new TypeState("b.v1", true, "python", "does b");
    store.configure(state);
    store.configure(TypeState.paused("a.v1"));

    assertThat(store.store().types()).containsExactly(TypeState.paused("a.v1"), state);
  }

  @Test
  void theLastConfigurationOfATypeCounts() {
    store.configure(TypeState.paused("a.v1"));
    store.configure(new TypeState("a.v1", true, "go", "now in Go"));

    assertThat(store.store().types())
        .containsExactly(new TypeState("a.v1", true, "go", "now in Go"));
  }

  @Test
  void typesNobodyConfiguredAreNotListed() {
    store.start("a.v1");

    assertThat(store.store().types()).isEmpty();
  }

  @Test
  void aConfigurationCountsWithinItsBatch() {
    store.start("a.v1");

    List<Outcome> outcomes =
        store.commit(
            new Command.Configure(TypeState.paused("a.v1")),
            store.claimCommand(1),
            new Command.Configure(TypeState.enabled("a.v1")),
            store.claimCommand(1));

    assertThat(((Outcome.Claimed) outcomes.get(1)).activations()).isEmpty();
    assertThat(((Outcome.Claimed) outcomes.get(3)).activations()).hasSize(1);
  }

  @Test
  void aStoreSaysInOneLineWhatItSurvives() {
    assertThat(store.store().durability()).isNotBlank().doesNotContain("\n");
  }

  private List<RunId> list(Query query) {
    return store.store().list(query).stream().map(Run::id).toList();
  }

  /** Reads page by page, and does something between the pages. */
  private List<RunId> pages(Query query, Runnable between) {
    List<RunId> all = new ArrayList<>();
    List<RunId> page = list(query);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(query.limit());
      all.addAll(page);
      assertThat(all).doesNotHaveDuplicates();
      between.run();
      page = list(query.withAfter(all.getLast()));
    }
    return all;
  }
}
