package dev.pawl.store.sql;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Goes on with some of the runs that a claim leases: with the same ones in the same way, whichever
 * store asks and however often.
 */
final class GoingOn implements Command.Onward {
  private final long seed;
  private final Instant now;
  private List<Command.Advance> last = List.of();

  GoingOn(long seed, Instant now) {
    this.seed = seed;
    this.now = now;
  }

  @Override
  public List<Command.Advance> goOn(List<Activation> leased) {
    List<Command.Advance> all = new ArrayList<>();
    for (Activation activation : leased) {
      SplittableRandom random = new SplittableRandom(seed ^ activation.run().id().hashCode());
      if (random.nextInt(3) > 0) {
        all.add(advance(activation, random));
      }
    }
    last = all;
    return all;
  }

  @Override
  public List<Command.Advance> handedIn() {
    return last;
  }

  private Command.Advance advance(Activation held, SplittableRandom random) {
    List<Event> events = new ArrayList<>();
    List<Long> consumed = new ArrayList<>();
    for (Mail mail : held.mail()) {
      if (mail instanceof Mail.Signal signal && random.nextBoolean()) {
        events.add(new Event.SignalReceived(0, signal.name(), signal.message(), signal.value()));
        consumed.add(signal.id());
      }
    }
    if (random.nextBoolean()) {
      events.add(new Event.StepCompleted(1, "early", 0, 1, Json.number(1), 2));
    }
    if (events.isEmpty() || random.nextInt(4) > 0) {
      events.add(end(random));
    }
    boolean stale = random.nextInt(12) == 0;
    return new Command.Advance(
            held.run().id(),
            held.run().epoch(),
            held.seq() + (stale ? 2 : 1),
            held.run().wakes(),
            events)
        .withConsumed(consumed);
  }

  private Event end(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Event.Succeeded(Json.string("in one breath"));
      case 1 -> new Event.Failed(Failure.of("OOPS", "in one breath"));
      case 2 ->
          new Event.Suspended(
              Optional.of(now.plusSeconds(random.nextInt(30))), List.of(), 0, true, Json.NULL);
      default ->
          new Event.Suspended(
              Optional.empty(), List.of(new Wait.Signal(2, "go")), 1, false, Json.NULL);
    };
  }
}
