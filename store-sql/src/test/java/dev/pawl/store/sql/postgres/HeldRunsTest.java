package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.NewRun;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is remembered of runs that are leased through a store. */
class HeldRunsTest {
  private static final RunId ID = new RunId(new UUID(0, 1));

  private final HeldRuns held = new HeldRuns();
  private final long era = held.enter(Optional.of(this));

  private static KnownRun leased() {
    Event created = NewRun.of(ID, "a.v1", Json.NULL).created(Instant.EPOCH, 0);
    Event leased = new Event.Leased("w", 1, Instant.EPOCH.plusSeconds(30), 1, false, 0, 1);
    Run run =
        Run.created(ID, new Entry(1, Instant.EPOCH, 0, created))
            .apply(new Entry(2, Instant.EPOCH, 1, leased));
    return KnownRun.stored(run, 1, 2, 0);
  }

  @Test
  void aRunThatIsLeasedHereIsRememberedByWhoeverComesForTheNextPlace() {
    KnownRun run = leased();
    run.leasedHere = true;
    held.learn(run, era);

    assertThat(held.find(ID, 1, 3, era)).isPresent();
    assertThat(held.find(ID, 1, 4, era)).isEmpty();
    assertThat(held.find(ID, 2, 3, era)).isEmpty();
    assertThat(held.find(ID, 1, 3, era + 1)).isEmpty();
  }

  /** A commit that may still be under way may take the place at any time. */
  @Test
  void whatWasForgottenIsNotLearnedAgainUnderTheSameLease() {
    KnownRun run = leased();
    run.leasedHere = true;
    held.learn(run, era);
    held.forget(ID);
    assertThat(held.find(ID, 1, 3, era)).isEmpty();

    held.learn(leased(), era);
    assertThat(held.find(ID, 1, 3, era)).isEmpty();
    held.learn(run, era);
    assertThat(held.find(ID, 1, 3, era)).as("leased here once more").isPresent();
  }
}
