package dev.pawl.testkit.contract;

import dev.pawl.store.Store;
import java.time.InstantSource;
import org.junit.jupiter.api.Nested;

/**
 * What every store must do. A store's test extends this class, says how the store is opened, and
 * inherits every test there is, by area.
 *
 * <pre>{@code
 * class MemoryStoreTest extends StoreContract {
 *   @Override
 *   protected Store open(InstantSource clock) {
 *     return new MemoryStore(clock);
 *   }
 * }
 * }</pre>
 *
 * <p>After each test every run it touched is held to the invariants: the row is the fold of the
 * log, {@code seq} is dense, a finished run holds nothing, and so on.
 */
public abstract class StoreContract {

  /** Opens a fresh, empty store that takes the time from the clock. The test closes it. */
  protected abstract Store open(InstantSource clock) throws Exception;

  /**
   * Closes the store and opens its data again, with the same clock. A store that keeps nothing
   * returns the store as it is.
   */
  protected Store reopen(Store store, InstantSource clock) {
    return store;
  }

  @Nested
  class Starting extends StartingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Claiming extends ClaimingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class GoingOn extends GoingOnContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Advancing extends AdvancingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Suspending extends SuspendingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Children extends ChildrenContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Signals extends SignalsContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Topics extends TopicsContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Leases extends LeasesContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Cancelling extends CancellingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Rewinding extends RewindingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Deleting extends DeletingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class TimeToLive extends TimeToLiveContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Listing extends ListingContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class OddData extends OddDataContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Batches extends BatchesContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Concurrency extends ConcurrencyContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Hints extends HintsContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Defining extends DefiningContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }

  @Nested
  class Reopening extends ReopeningContract {
    @Override
    StoreContract contract() {
      return StoreContract.this;
    }
  }
}
