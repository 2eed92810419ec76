package dev.pawl.store;

import dev.pawl.log.Run;
import java.time.Instant;
import java.util.List;

/**
 * A run as its worker gets it.
 *
 * @param seq the place of the {@code leased} event: the next event goes behind it
 * @param mail the mailbox, oldest first, followed by events on the topics the run waited on
 * @param now the moment of the claim by the store's clock
 */
public record Activation(Run run, long seq, List<Mail> mail, Instant now) {
  /** Whether a moment had come by the time of the claim. */
  public boolean isPast(Instant moment) {
    return !moment.isAfter(now);
  }
}
