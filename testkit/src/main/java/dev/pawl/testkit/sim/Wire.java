package dev.pawl.testkit.sim;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Definition;
import dev.pawl.store.Hint;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import dev.pawl.store.Query;
import dev.pawl.testkit.ForwardingStore;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A process's way to the store. Everything takes time on it, and what the episode's faults say goes
 * wrong.
 */
final class Wire extends ForwardingStore {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final double HALF = 0.5;

  private final Episode episode;
  private final Host host;
  private final Dice dice;
  private final boolean mortal;

  /**
   * @param mortal whether the process may crash, stop for a while and be restarted
   */
  Wire(Episode episode, Host host, Dice dice, boolean mortal) {
    super(episode.store());
    this.episode = episode;
    this.host = host;
    this.dice = dice;
    this.mortal = mortal;
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    travel();
    Faults faults = episode.faults();
    boolean before = dice.hits(HALF);
    boolean crash = mortal && dice.hits(faults.crash());
    if (crash && before) {
      die();
    }
    fail(faults, commands);
    List<Outcome> outcomes = episode.witness().commit(host, commands);
    if (crash) {
      die();
    }
    if (dice.hits(faults.loseAnswer())) {
      throw unknown("the answer was lost");
    }
    if (mortal && dice.hits(faults.pause())) {
      host.pause(episode.longerThanALease(dice));
    }
    travel();
    episode.witness().acknowledge(commands, outcomes);
    return outcomes;
  }

  private void fail(Faults faults, List<Command> commands) {
    if (dice.hits(faults.delay())) {
      host.sleep(episode.longerThanALease(dice));
    }
    if (dice.hits(faults.fail())) {
      throw new PawlException(ErrorCode.STORE_UNAVAILABLE, "simulated: the commit failed");
    }
    if (dice.hits(faults.lose())) {
      throw unknown("the commit was lost");
    }
    if (dice.hits(faults.late())) {
      List<Command> copy = commands.stream().map(Wire::unattended).toList();
      episode.later(dice.between(1, 5_000) * MILLI, () -> episode.witness().commit(host, copy));
      throw unknown("the commit is late");
    }
  }

  /** What is carried out when nobody is there any more to go on with what it leases. */
  private static Command unattended(Command command) {
    return command instanceof Command.Claim claim
        ? new Command.Claim(claim.claimant(), claim.routes(), claim.max())
        : command;
  }

  private static PawlException unknown(String why) {
    return new PawlException(ErrorCode.UNKNOWN_OUTCOME, "simulated: " + why);
  }

  /** The process is no more: this thread never moves again. */
  private void die() {
    episode.died(host);
    while (true) {
      LockSupport.park(this);
      // Nobody who is interrupted is parked.
      Thread.interrupted();
    }
  }

  private void travel() {
    host.sleep(dice.between(50, 2_000) * MICRO);
  }

  // ---- reads ----

  private void reading() {
    travel();
    if (dice.hits(episode.faults().failRead())) {
      throw new PawlException(ErrorCode.STORE_UNAVAILABLE, "simulated: the read failed");
    }
  }

  @Override
  public Optional<Run> run(RunId id) {
    reading();
    return super.run(id);
  }

  @Override
  public Optional<Run> runByKey(String key) {
    reading();
    return super.runByKey(key);
  }

  @Override
  public List<Run> list(Query query) {
    reading();
    return super.list(query);
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    reading();
    return super.log(id, after, limit);
  }

  @Override
  public List<Mail> mail(RunId id) {
    reading();
    return super.mail(id);
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) {
    reading();
    return super.emitted(message);
  }

  @Override
  public Optional<Definition> definition(String hash) {
    reading();
    return super.definition(hash);
  }

  @Override
  public Optional<Definition> newestDefinition(String type) {
    reading();
    return super.newestDefinition(type);
  }

  @Override
  public List<String> definedTypes() {
    reading();
    return super.definedTypes();
  }

  // ---- hints ----

  @Override
  public Listening listen(Consumer<Hint> listener) {
    return super.listen(hint -> {
      Faults faults = episode.faults();
      if (!dice.hits(faults.loseHint())) {
        tell(listener, hint);
      }
      if (dice.hits(faults.repeatHint())) {
        tell(listener, hint);
      }
    });
  }

  private void tell(Consumer<Hint> listener, Hint hint) {
    episode
        .universe()
        .after(
            dice.between(100, 5_000) * MICRO,
            host,
            () -> host.start("hint", () -> listener.accept(hint)));
  }

  @Override
  public void close() {}
}
