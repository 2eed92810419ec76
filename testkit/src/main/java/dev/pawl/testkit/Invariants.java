package dev.pawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Mail;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What must be true of every run at any time, by the names that the design gives it. */
public final class Invariants {
  private static final int PAGE = 1000;

  private Invariants() {}

  /** Checks one run. A run that is not there (any more) passes if it left no log and no mail. */
  public static void check(Store store, RunId id) {
    List<Entry> log = log(store, id);
    Optional<Run> row = store.run(id);
    if (row.isEmpty()) {
      assertThat(log).as("S6: run %s is not there and has no log", id).isEmpty();
      assertThat(store.mail(id)).as("S6: run %s is not there and has no mail", id).isEmpty();
      return;
    }
    denseSeq(id, log);
    growingEpochs(id, log);
    oneTerminalEvent(row.get(), log);
    rowIsTheFold(row.get(), Run.fold(id, log));
    holdsTheRight(row.get(), store.mail(id));
    row.get().key().ifPresent(key -> ownsItsKey(store, id, key));
  }

  private static List<Entry> log(Store store, RunId id) {
    List<Entry> log = new ArrayList<>();
    List<Entry> page = store.log(id, 0, PAGE);
    while (!page.isEmpty()) {
      log.addAll(page);
      page = store.log(id, log.getLast().seq(), PAGE);
    }
    return log;
  }

  private static void denseSeq(RunId id, List<Entry> log) {
    for (int i = 0; i < log.size(); i++) {
      assertThat(log.get(i).seq()).as("S3: seq of run %s is dense", id).isEqualTo(i + 1L);
    }
  }

  private static void growingEpochs(RunId id, List<Entry> log) {
    long last = 0;
    for (Entry entry : log) {
      if (entry.event() instanceof Event.Leased leased) {
        assertThat(leased.epoch()).as("T2: epochs of run %s grow", id).isGreaterThan(last);
        last = leased.epoch();
      }
    }
  }

  private static void oneTerminalEvent(Run row, List<Entry> log) {
    for (int i = 0; i < log.size() - 1; i++) {
      if (log.get(i).event() instanceof Event.Terminal) {
        assertThat(log.get(i + 1).event())
            .as("S5: what follows the end of run %s at seq %d", row.id(), i + 1)
            .isInstanceOf(Event.Rewound.class);
      }
    }
    assertThat(log.getLast().event() instanceof Event.Terminal)
        .as("S5: run %s is %s and its log ends with %s", row.id(), row.status(), log.getLast())
        .isEqualTo(row.status().isTerminal());
  }

  /** Compares all but what the row knows and the log does not, and that as far as it can be. */
  private static void rowIsTheFold(Run row, Run fold) {
    Run expected =
        fold.change()
            .due(row.due())
            .lease(row.lease())
            .wakes(row.wakes())
            .wakeAfter(row.wakeAfter())
            .deletedAt(row.deletedAt())
            .run();
    assertThat(row).as("S6: row of run %s is the fold of its log", row.id()).isEqualTo(expected);
    assertThat(row.lease().map(Run.Lease::worker))
        .as("S6: holder of run %s", row.id())
        .isEqualTo(fold.lease().map(Run.Lease::worker));
    assertThat(row.wakeAfter())
        .as("S6: messages run %s waits for", row.id())
        .isBetween(0, fold.wakeAfter());
    if (row.status() != Status.RUNNING && fold.due().isPresent()) {
      assertThat(row.due().orElse(Instant.MAX))
          .as("S1: due time of run %s", row.id())
          .isBeforeOrEqualTo(fold.due().get());
    }
  }

  private static void holdsTheRight(Run row, List<Mail> mail) {
    switch (row.status()) {
      case PENDING ->
          assertThat(row.due()).as("S1: pending run %s has a due time", row.id()).isPresent();
      case RUNNING ->
          assertThat(row.due())
              .as("S1: running run %s is due when its lease ends", row.id())
              .isPresent()
              .isEqualTo(row.lease().map(Run.Lease::until));
      case SUSPENDED -> {
        if (mail.stream().anyMatch(Mail.Cancel.class::isInstance)) {
          assertThat(row.due()).as("S10: suspended run %s was asked to end", row.id()).isPresent();
        }
      }
      case SUCCEEDED, FAILED, CANCELLED -> {
        assertThat(row.due()).as("S2: finished run %s has no due time", row.id()).isEmpty();
        assertThat(row.lease()).as("S2: finished run %s has no lease", row.id()).isEmpty();
        assertThat(row.wakeAfter()).as("S2: finished run %s waits for nothing", row.id()).isZero();
        assertThat(mail).as("S2: finished run %s has no mail", row.id()).isEmpty();
        assertThat(row.finishedAt()).as("S2: end of finished run %s", row.id()).isPresent();
      }
    }
  }

  private static void ownsItsKey(Store store, RunId id, String key) {
    assertThat(store.runByKey(key).map(Run::id)).as("S7: the run of key '%s'", key).contains(id);
  }
}
