package dev.pawl.testkit.contract;

import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of one area share: a fresh store before each, and the invariants after. */
abstract class Area {
  StoreFixture store;

  /** The contract this area is a part of: it knows how to open the store. */
  abstract StoreContract contract();

  @BeforeEach
  final void openStore() throws Exception {
    ManualClock clock = new ManualClock();
    store = new StoreFixture(contract().open(clock), clock);
  }

  @AfterEach
  final void checkInvariants() {
    try (StoreFixture open = store) {
      open.check();
    }
  }

  /** Closes the store and opens it again, where that means anything. */
  final void reopen() {
    store.replace(open -> contract().reopen(open, store.clock()));
  }
}
