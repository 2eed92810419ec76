package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.LEASE;
import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import dev.pawl.testkit.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Claiming: which runs, in which order, how many, and what the claimant gets. */
abstract class ClaimingContract extends Area {

  @Test
  void aClaimLeasesTheRun() {
    RunId id = store.start();
    store.clock().advanceMillis(250);

    Turn turn = store.claimOne("me");

    assertThat(turn.run()).isEqualTo(store.run(id));
    assertThat(turn.run().status()).isEqualTo(Status.RUNNING);
    assertThat(turn.run().lease()).contains(new Run.Lease("me", store.now().plus(LEASE)));
    assertThat(turn.run().due()).contains(store.now().plus(LEASE));
    assertThat(turn.run().attempt()).isEqualTo(1);
    assertThat(turn.run().begun()).isTrue();
    assertThat(turn.run().resumed()).isFalse();
    assertThat(turn.run().updatedAt()).isEqualTo(store.now());
    assertThat(turn.activation().now()).isEqualTo(store.now());
    assertThat(turn.activation().seq()).isEqualTo(2);
  }

  @Test
  void aClaimIsOnTheRecordWithItsTicket() {
    RunId id = store.start();
    Command.Claimant claimant = new Command.Claimant("me", LEASE, 77);

    store.claimed(new Command.Claim(claimant, Routes.of(newRun().type()), 1));

    assertThat(store.lastEvent(id))
        .isEqualTo(new Event.Leased("me", 1, store.now().plus(LEASE), 1, false, 0, 77));
    assertThat(store.log(id).getLast().epoch()).isEqualTo(1);
  }

  @Test
  void nothingIsClaimedTwice() {
    store.start();

    store.claimOne();

    store.assertNothingToClaim();
  }

  @Test
  void twoClaimsInOneBatchShareWhatThereIs() {
    List<RunId> started = List.of(store.start(), store.start(), store.start());

    List<Outcome> outcomes = store.commit(store.claimCommand(2), store.claimCommand(2));

    List<Turn> first = store.turns((Outcome.Claimed) outcomes.get(0));
    List<Turn> second = store.turns((Outcome.Claimed) outcomes.get(1));
    assertThat(first).hasSize(2);
    assertThat(second).hasSize(1);
    Set<RunId> claimed = new HashSet<>();
    first.forEach(turn -> claimed.add(turn.id()));
    second.forEach(turn -> claimed.add(turn.id()));
    assertThat(claimed).containsExactlyInAnyOrderElementsOf(started);
  }

  @Test
  void noMoreIsClaimedThanWasAskedFor() {
    for (int i = 0; i < 5; i++) {
      store.start();
    }

    assertThat(store.claim(2)).hasSize(2);
    assertThat(store.claim(2)).hasSize(2);
    assertThat(store.claim(2)).hasSize(1);
  }

  @Test
  void onlyRoutedTypesAreClaimed() {
    RunId wanted = store.start("a.v1");
    store.start("b.v1");
    store.start("a.v10");

    assertThat(ids(store.claim(10, "a.v1"))).containsExactly(wanted);
  }

  @Test
  void severalTypesAreClaimedTogether() {
    RunId a = store.start("a.v1");
    store.start("b.v1");
    RunId c = store.start("c.v1");

    assertThat(ids(store.claim(10, "a.v1", "c.v1"))).containsExactlyInAnyOrder(a, c);
  }

  @Test
  void aPrefixClaimsEveryTypeThatBeginsWithIt() {
    RunId a = store.start("billing.invoice.v1");
    RunId b = store.start("billing.refund.v1");
    store.start("billings.v1");
    store.start("shipping.billing.v1");

    assertThat(ids(store.claim(10, "billing.%"))).containsExactlyInAnyOrder(a, b);
  }

  @Test
  void aPrefixAndATypeThatItCoversClaimARunOnce() {
    RunId a = store.start("billing.invoice.v1");

    assertThat(ids(store.claim(10, "billing.%", "billing.invoice.v1", "bill%"))).containsExactly(a);
  }

  @Test
  void theEmptyPrefixClaimsEverything() {
    RunId a = store.start("a.v1");
    RunId b = store.start("b.v1");

    assertThat(ids(store.claim(10, "%"))).containsExactlyInAnyOrder(a, b);
  }

  @Test
  void anUnderscoreIsAPlainCharacter() {
    RunId a = store.start("a_b.v1");
    store.start("axb.v1");

    assertThat(ids(store.claim(10, "a_b.v1"))).containsExactly(a);
    RunId second = store.start("a_b.v1");
    assertThat(ids(store.claim(10, "a_%"))).containsExactly(second);
  }

  @Test
  void patternCharactersOfOtherLanguagesArePlain() {
    RunId star = store.start("a*b.v1");
    RunId question = store.start("a?b.v1");
    RunId brackets = store.start("a[x]b.v1");
    RunId backslash = store.start("a\\b.v1");
    RunId quote = store.start("a'b\".v1");
    store.start("axb.v1");

    assertThat(ids(store.claim(10, "a*%"))).containsExactly(star);
    assertThat(ids(store.claim(10, "a?%"))).containsExactly(question);
    assertThat(ids(store.claim(10, "a[x]%"))).containsExactly(brackets);
    assertThat(ids(store.claim(10, "a\\%"))).containsExactly(backslash);
    assertThat(ids(store.claim(10, "a'b%"))).containsExactly(quote);
  }

  @Test
  void upperAndLowerCaseAreDifferentTypes() {
    RunId lower = store.start("billing.v1");
    RunId upper = store.start("Billing.v1");

    assertThat(ids(store.claim(10, "billing.v1"))).containsExactly(lower);
    assertThat(ids(store.claim(10, "Bill%"))).containsExactly(upper);
  }

  @Test
  void aPrefixCoversEveryCharacterThatMayFollow() {
    RunId tilde = store.start("a.~");
    RunId umlaut = store.start("a.ü");
    RunId last = store.start("a.\uFFFD");
    RunId rocket = store.start("a.\uD83D\uDE80");
    RunId bare = store.start("a.");
    store.start("a/");

    assertThat(ids(store.claim(10, "a.%")))
        .containsExactlyInAnyOrder(tilde, umlaut, last, rocket, bare);
  }

  @Test
  void unknownRoutesClaimNothing() {
    store.start();

    assertThat(store.claim(10, "unknown.v1", "unknown.%")).isEmpty();
  }

  @Test
  void noRoutesClaimNothing() {
    store.start();

    Command.Claim claim = new Command.Claim(store.claimant(), new Routes(Set.of(), Set.of()), 10);

    assertThat(store.claimed(claim).activations()).isEmpty();
  }

  @Test
  void lowerPriorityNumbersGoFirst() {
    RunId normal = store.start(newRun("a.v1"));
    RunId low = store.start(newRun("b.v1").withPriority(200));
    RunId high = store.start(newRun("c.v1").withPriority(1));
    RunId negative = store.start(newRun("d.v1").withPriority(-5));

    assertThat(ids(store.claim(10))).containsExactly(negative, high, normal, low);
  }

  @Test
  void theOrderHoldsAcrossTypesAndClaims() {
    List<RunId> expected = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      expected.add(store.start(newRun(i % 2 == 0 ? "a.v1" : "b.v1")));
      store.clock().advanceMillis(1);
    }

    List<RunId> claimed = new ArrayList<>();
    while (claimed.size() < 6) {
      claimed.addAll(ids(store.claim(2, "a.%", "b.v1")));
    }

    assertThat(claimed).isEqualTo(expected);
  }

  @Test
  void ofOnePriorityTheEarliestDueGoesFirst() {
    RunId late = store.start(newRun().withDelay(Duration.ofSeconds(3)));
    RunId early = store.start(newRun().withDelay(Duration.ofSeconds(1)));
    RunId middle = store.start(newRun().withDelay(Duration.ofSeconds(2)));
    store.clock().advance(Duration.ofSeconds(10));

    assertThat(ids(store.claim(10))).containsExactly(early, middle, late);
  }

  @Test
  void whatWasBegunGoesBeforeFirstStartsOfItsPriority() {
    Turn woken = store.begin();
    Turn retried = store.begin();
    RunId fresh = store.start();
    store.clock().advanceMillis(10);
    woken.suspendUntil(store.now().plusMillis(2));
    retried.retryIn(Duration.ofMillis(1));
    store.clock().advanceMillis(10);
    RunId urgent = store.start(newRun().withPriority(99));

    assertThat(ids(store.claim(10))).containsExactly(urgent, retried.id(), woken.id(), fresh);
  }

  @Test
  void aRunThatIsNotDueDoesNotHideOneThatIs() {
    store.start(newRun().withPriority(1).withDelay(Duration.ofDays(1)));
    RunId due = store.start(newRun().withPriority(2));

    assertThat(ids(store.claim(1))).containsExactly(due);
  }

  @Test
  void aDisabledTypeWaitsAndIsClaimedWhenItIsEnabled() {
    RunId id = store.start("a.v1");
    store.configure(TypeState.paused("a.v1"));

    assertThat(store.claim(10, "a.v1")).isEmpty();
    assertThat(store.claim(10, "a.%")).isEmpty();
    assertThat(store.run(id).status()).isEqualTo(Status.PENDING);

    store.configure(TypeState.enabled("a.v1"));
    assertThat(ids(store.claim(10, "a.v1"))).containsExactly(id);
  }

  @Test
  void aDisabledTypeDoesNotHoldUpOthers() {
    store.start(newRun("a.v1").withPriority(1));
    RunId other = store.start("a.v2");
    store.configure(TypeState.paused("a.v1"));

    assertThat(ids(store.claim(10, "a.%"))).containsExactly(other);
  }

  @Test
  void aTypeOfAnotherRuntimeIsLeftAlone() {
    RunId id = store.start("a.v1");
    store.configure(new TypeState("a.v1", true, "python", ""));

    assertThat(store.claim(10, "a.v1")).isEmpty();
    assertThat(store.claim(10, "a.%")).isEmpty();

    Command.Claimant python = new Command.Claimant("snake", "python", LEASE, 1);
    assertThat(ids(store.turns(store.claimed(new Command.Claim(python, Routes.of("a.%"), 10)))))
        .containsExactly(id);
  }

  @Test
  void aStartOfATypeOfAnotherRuntimeLeasesNothing() {
    store.configure(new TypeState("a.v1", true, "python", ""));

    Outcome.Started started =
        store.expect(
            Outcome.Started.class,
            new Command.Start(newRun("a.v1"), Optional.of(store.claimant())));

    assertThat(started.activation()).isEmpty();
    assertThat(started.run().status()).isEqualTo(Status.PENDING);
  }

  @Test
  void aTypeThatAnyRuntimeMayClaimIsClaimedByEach() {
    RunId id = store.start("a.v1");
    store.configure(new TypeState("a.v1", true, TypeState.ANY, ""));
    Command.Claimant python = new Command.Claimant("snake", "python", LEASE, 1);

    assertThat(ids(store.turns(store.claimed(new Command.Claim(python, Routes.of("a.v1"), 10)))))
        .containsExactly(id);
  }

  @Test
  void aSuspendedRunOfADisabledTypeWaitsToo() {
    Turn turn = store.begin(newRun("a.v1"));
    turn.suspendUntil(store.now().plusMillis(1));
    store.configure(TypeState.paused("a.v1"));
    store.clock().advanceMillis(10);

    assertThat(store.claim(10, "a.v1")).isEmpty();
    assertThat(store.run(turn.id()).status()).isEqualTo(Status.SUSPENDED);
  }

  @Test
  void aClaimThatFindsTooLittleSaysWhenTheNextRunFallsDue() {
    store.start(newRun().withDelay(Duration.ofSeconds(9)));
    store.start(newRun().withDelay(Duration.ofSeconds(5)));

    Outcome.Claimed claimed = store.claimed(store.claimCommand(1));

    assertThat(claimed.activations()).isEmpty();
    assertThat(claimed.nextDue()).contains(store.now().plusSeconds(5));
  }

  @Test
  void timersAndLeasesOfOthersFallDueToo() {
    Turn sleeping = store.begin();
    sleeping.suspendUntil(store.now().plusSeconds(50));
    store.begin();

    assertThat(store.claimed(store.claimCommand(1)).nextDue()).contains(store.now().plus(LEASE));
    store.claim(0);
    assertThat(store.run(sleeping.id()).due()).contains(store.now().plusSeconds(50));
  }

  @Test
  void nothingFallsDueWhereNothingIs() {
    Turn turn = store.begin();
    turn.suspendFor(Turn.signal("go"));
    store.start("other.v1");

    Outcome.Claimed claimed =
        store.claimed(new Command.Claim(store.claimant(), Routes.of(turn.run().type()), 1));

    assertThat(claimed.nextDue()).isEmpty();
  }

  @Test
  void everyClaimHasAFreshEpoch() {
    RunId id = store.start();
    long last = 0;
    for (int i = 0; i < 4; i++) {
      Turn turn = store.claimOne();
      assertThat(turn.epoch()).isGreaterThan(last);
      assertThat(store.log(id).getLast().epoch()).isEqualTo(turn.epoch());
      last = turn.epoch();
      turn.releaseFor(Duration.ZERO);
    }
  }

  @Test
  void finishedRunsAreNotClaimed() {
    store.begin().succeed();
    store.begin().fail("BROKEN");
    store.cancel(store.start());
    store.clock().advance(Duration.ofDays(365));

    store.assertNothingToClaim();
  }

  @Test
  void aClaimOfNoneClaimsNone() {
    RunId id = store.start();

    assertThat(store.claim(0)).isEmpty();
    assertThat(store.run(id).status()).isEqualTo(Status.PENDING);
  }

  private static List<RunId> ids(List<Turn> turns) {
    return turns.stream().map(Turn::id).toList();
  }
}
