package dev.pawl.work;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.store.Activation;
import dev.pawl.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The time of a run that was reopened when its time was over: the same again, counted from the
 * reopening. It follows from the log, so nothing is written for it.
 */
final class Reprieve {
  private static final int PAGE = 1000;

  private Reprieve() {}

  /** The activation, with the deadline that its program has to keep. */
  static Activation of(Activation activation, Store store) {
    Run run = activation.run();
    Optional<Instant> passed = run.deadline().filter(activation::isPast);
    if (passed.isEmpty()) {
      return activation;
    }
    Duration time = Duration.between(run.createdAt(), passed.get());
    return lastReopening(run, store)
        .filter(at -> !at.isBefore(passed.get()))
        .map(at -> run.change().deadline(at.plus(time)).run())
        .map(anew -> new Activation(anew, activation.seq(), activation.mail(), activation.now()))
        .orElse(activation);
  }

  private static Optional<Instant> lastReopening(Run run, Store store) {
    Optional<Instant> last = Optional.empty();
    List<Entry> page = store.log(run.id(), 0, PAGE);
    while (!page.isEmpty()) {
      for (Entry entry : page) {
        last = entry.event() instanceof Event.Rewound ? Optional.of(entry.at()) : last;
      }
      page = store.log(run.id(), page.get(page.size() - 1).seq(), PAGE);
    }
    return last;
  }
}
