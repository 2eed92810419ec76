package dev.pawl.store.sql;

import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Event;
import dev.pawl.log.Failure;
import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Makes up what workers, producers and operators might do next. It learns from the outcomes, so
 * that most commands make sense and some are stale.
 *
 * <p>Types come in three tiers, and a run starts children of the next tier only. A claim asks for
 * one tier. So a run that ends within a claim never wakes one that the same claim could take:
 * whether it does is not laid down.
 */
public final class RandomCommands {
  private static final String[][] TIERS = {
    {"a.x", "a.y", "a.ü😀"}, {"b.x", "b.y"}, {"c.x", "c.y", "c.z"}
  };
  private static final String[] NAMES = {"go", "stop", "𝒩ame"};
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** A lease as its worker remembers it. */
  private static final class Turn {
    final Activation activation;
    long seq;
    int op;

    Turn(Activation activation) {
      this.activation = activation;
      this.seq = activation.seq();
    }

    RunId run() {
      return activation.run().id();
    }

    long epoch() {
      return activation.run().epoch();
    }
  }

  private final SplittableRandom random;
  private final int maxBatch;
  private final Map<RunId, Turn> turns = new LinkedHashMap<>();
  private final List<RunId> runs = new ArrayList<>();
  private final List<Command> sent = new ArrayList<>();
  private final List<Command> rewinds = new ArrayList<>();
  private final Map<Integer, Turn> advancing = new HashMap<>();
  private long ids;
  private long ticket;
  private Instant now = Instant.EPOCH;

  public RandomCommands(long seed, int maxBatch) {
    this.random = new SplittableRandom(seed);
    this.maxBatch = maxBatch;
  }

  /** The next batch. A run is advanced at most once in it, as a worker waits for its commit. */
  public List<Command> batch(Instant moment) {
    now = moment;
    advancing.clear();
    List<Command> batch = new ArrayList<>();
    int size = 1 + random.nextInt(maxBatch);
    for (int i = 0; i < size; i++) {
      batch.add(command(batch.size()));
    }
    return batch;
  }

  /** Every run there ever was. */
  public List<RunId> runs() {
    return runs;
  }

  public List<UUID> messages() {
    return sent.stream()
        .filter(Command.Emit.class::isInstance)
        .map(emit -> ((Command.Emit) emit).message())
        .toList();
  }

  /** Learns what came of a batch. */
  public void learn(List<Command> batch, List<Outcome> outcomes) {
    for (int i = 0; i < batch.size(); i++) {
      switch (outcomes.get(i)) {
        case Outcome.Started started -> started.activation().ifPresent(this::hold);
        case Outcome.Claimed claimed -> learn((Command.Claim) batch.get(i), claimed);
        case Outcome.Advanced advanced ->
            advanced((Command.Advance) batch.get(i), advancing.get(i));
        case Outcome.Fenced fenced -> turns.remove(fenced.run());
        case Outcome.Extended extended -> extended.lost().forEach(turns::remove);
        default -> {}
      }
    }
  }

  private void learn(Command.Claim claim, Outcome.Claimed claimed) {
    claimed.activations().forEach(this::hold);
    for (Command.Advance advance : claim.onward().handedIn()) {
      if (claimed.onward().get(advance.run()) instanceof Outcome.Advanced) {
        advanced(advance, turns.get(advance.run()));
      }
    }
  }

  private void hold(Activation activation) {
    turns.put(activation.run().id(), new Turn(activation));
  }

  private void advanced(Command.Advance command, Turn turn) {
    if (turn != null) {
      turn.seq += command.events().size();
      if (command.end().isPresent()) {
        turns.remove(turn.run(), turn);
      }
    }
  }

  private Command command(int index) {
    int dice = random.nextInt(100);
    if (dice < 14) {
      return start();
    } else if (dice < 30) {
      return claim();
    } else if (dice < 68) {
      return advance(index);
    } else if (dice < 76) {
      return random.nextInt(4) == 0 && !sent.isEmpty() ? again() : remember(send());
    } else if (dice < 82) {
      return remember(new Command.Emit(uuid(), topic(), value()));
    } else if (dice < 86) {
      return extend();
    } else if (dice < 90) {
      return new Command.Cancel(anyRun(), "why \u0000 not \ud800", random.nextInt(4) == 0);
    } else if (dice < 93) {
      return rewind();
    } else if (dice < 95) {
      return new Command.Configure(
          new TypeState(type(random.nextInt(3)), random.nextInt(4) != 0, "java", "d" + ids));
    } else if (dice < 99) {
      return new Command.Delete(anyRun());
    }
    return new Command.Purge(
        Duration.ofSeconds(random.nextInt(100)), Duration.ofSeconds(random.nextInt(400)), 3);
  }

  /** Something that was sent before, mostly of late: its run may have received it and be open. */
  private Command again() {
    int recent = random.nextInt(3) == 0 ? sent.size() : Math.min(sent.size(), 20);
    return sent.get(sent.size() - 1 - random.nextInt(recent));
  }

  private Command rewind() {
    if (random.nextInt(5) > 0 || rewinds.isEmpty()) {
      String how = random.nextBoolean() ? "retry" : "rewind";
      rewinds.add(new Command.Rewind(anyRun(), uuid(), how, random.nextInt(5), "again"));
      return rewinds.getLast();
    }
    return rewinds.get(rewinds.size() - 1 - random.nextInt(Math.min(rewinds.size(), 10)));
  }

  private Command remember(Command command) {
    sent.add(command);
    return command;
  }

  private Command start() {
    NewRun run = newRun(0);
    if (random.nextInt(10) == 0 && !runs.isEmpty()) {
      run = NewRun.of(anyRun(), run.type(), run.payload());
    } else if (random.nextInt(4) == 0) {
      run = run.withKey("key" + random.nextInt(40));
    }
    runs.add(run.id());
    return new Command.Start(
        run, random.nextInt(4) == 0 ? Optional.of(claimant()) : Optional.empty());
  }

  private NewRun newRun(int tier) {
    NewRun run =
        NewRun.of(new RunId(uuid()), type(tier), value())
            .withPriority(90 + random.nextInt(3) * 10)
            .withMaxAttempts(1 + random.nextInt(3));
    if (random.nextInt(4) == 0) {
      run = run.withDelay(Duration.ofSeconds(random.nextInt(60)));
    }
    if (random.nextInt(3) == 0) {
      run = run.withTtl(Duration.ofMillis(1 + random.nextInt(60_000)));
    }
    if (random.nextInt(6) == 0) {
      run = run.withTags(Map.of("tag", "wert\u0001", "a\"\\ü", ""));
    }
    if (random.nextInt(10) == 0) {
      UUID inherited = sent.isEmpty() ? uuid() : message(again());
      List<Event> history =
          List.of(
              new Event.StepCompleted(0, "old", 0, 1, value(), 3),
              new Event.SignalReceived(1, name(), inherited, value()));
      run = run.withOrigin(new NewRun.Origin(anyRun(), random.nextInt(20), history));
    }
    return run;
  }

  private Command claim() {
    int tier = random.nextInt(3);
    Routes routes =
        switch (random.nextInt(3)) {
          case 0 -> Routes.of(type(tier));
          case 1 -> Routes.of(type(tier), type(tier), "nobody.knows");
          default -> new Routes(Set.of(), Set.of(TIERS[tier][0].substring(0, 2)));
        };
    Command.Onward onward =
        random.nextBoolean() ? Command.Onward.NONE : new GoingOn(random.nextLong(), now);
    return new Command.Claim(claimant(), routes, random.nextInt(6), onward);
  }

  private Command.Claimant claimant() {
    return new Command.Claimant(
        "worker-" + random.nextInt(3), random.nextInt(20) == 0 ? Duration.ZERO : LEASE, ++ticket);
  }

  private Command extend() {
    List<Command.Held> held = new ArrayList<>();
    for (Turn turn : turns.values()) {
      if (random.nextInt(3) != 0) {
        held.add(new Command.Held(turn.run(), turn.epoch()));
      }
    }
    held.add(new Command.Held(anyRun(), random.nextInt(4)));
    return new Command.Extend("worker-" + random.nextInt(3), held, LEASE);
  }

  private Command advance(int index) {
    List<Turn> free =
        turns.values().stream().filter(turn -> !advancing.containsValue(turn)).toList();
    if (free.isEmpty()) {
      return start();
    }
    Turn turn = pick(free);
    if (random.nextInt(15) == 0) {
      return stale(turn);
    }
    advancing.put(index, turn);
    List<Event> events = new ArrayList<>();
    List<Long> consumed = new ArrayList<>();
    List<NewRun> children = new ArrayList<>();
    List<Command.Send> sends = new ArrayList<>();
    List<Command.Emit> emits = new ArrayList<>();
    receive(turn, events, consumed);
    checkpoints(turn, events);
    int tier = tier(turn.activation.run().type());
    if (random.nextInt(4) == 0 && tier < 2) {
      children(turn, tier, events, children);
    }
    if (random.nextInt(8) == 0) {
      sends.add((Command.Send) remember(send()));
    }
    if (random.nextInt(10) == 0) {
      emits.add((Command.Emit) remember(new Command.Emit(uuid(), topic(), value())));
    }
    if (random.nextInt(5) < 3 || events.isEmpty()) {
      events.add(end(turn));
    }
    long wakes = turn.activation.run().wakes();
    return new Command.Advance(
        turn.run(), turn.epoch(), turn.seq + 1, wakes, events, consumed, children, sends, emits);
  }

  private Command stale(Turn turn) {
    List<Event> events = List.of(new Event.Logged(turn.op++, "stale"));
    return random.nextBoolean()
        ? new Command.Advance(turn.run(), turn.epoch() - 1, turn.seq + 1, 0, events)
        : new Command.Advance(
            turn.run(), turn.epoch(), turn.seq + 1 + (random.nextBoolean() ? 1L : -1L), 0, events);
  }

  private void receive(Turn turn, List<Event> events, List<Long> consumed) {
    for (Mail mail : turn.activation.mail()) {
      if (random.nextBoolean()) {
        switch (mail) {
          case Mail.Signal signal -> {
            events.add(
                new Event.SignalReceived(
                    turn.op++, signal.name(), signal.message(), signal.value()));
            consumed.add(signal.id());
          }
          case Mail.ChildOutcome outcome -> {
            events.add(new Event.ChildFinished(turn.op++, outcome.child(), outcome.result()));
            consumed.add(outcome.id());
          }
          case Mail.Cancel cancel -> {
            events.add(new Event.CancelRequested(turn.op++, cancel.reason()));
            consumed.add(cancel.id());
          }
          case Mail.Topic topic ->
              events.add(
                  new Event.EventReceived(turn.op++, topic.topic(), topic.id(), topic.value()));
        }
      }
    }
  }

  private void checkpoints(Turn turn, List<Event> events) {
    for (int i = random.nextInt(3); i > 0; i--) {
      events.add(
          switch (random.nextInt(4)) {
            case 0 -> new Event.Heartbeat(value());
            case 1 ->
                new Event.StepFailed(
                    turn.op++, name(), 0, 1, failure(), Optional.of(now.plusSeconds(1)));
            default -> new Event.StepCompleted(turn.op++, name(), i, 1, value(), 12);
          });
    }
  }

  private void children(Turn turn, int tier, List<Event> events, List<NewRun> children) {
    for (int i = random.nextInt(3); i >= 0; i--) {
      Bond bond = pick(List.of(Bond.AWAITED, Bond.ABANDONED, Bond.DETACHED));
      NewRun child = newRun(tier + 1).withParent(turn.run(), turn.activation.run().root(), bond);
      runs.add(child.id());
      children.add(child);
      events.add(new Event.ChildStarted(turn.op++, child.id(), child.type(), bond));
    }
  }

  private Event end(Turn turn) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> new Event.Succeeded(value());
      case 2 -> new Event.Failed(failure());
      case 3 -> new Event.Cancelled("enough");
      case 4 ->
          new Event.Retried(failure(), now.plusSeconds(random.nextInt(20)), random.nextBoolean());
      case 5 -> new Event.Released("not mine", now.plusSeconds(random.nextInt(5)));
      default -> suspended(turn);
    };
  }

  private Event suspended(Turn turn) {
    Optional<Instant> until =
        random.nextInt(3) == 0
            ? Optional.empty()
            : Optional.of(now.plusSeconds(random.nextInt(100)));
    List<Wait> waits = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      waits.add(
          switch (random.nextInt(4)) {
            case 0 -> new Wait.Signal(turn.op++, name());
            case 1 -> new Wait.Topic(turn.op++, topic(), random.nextInt(30));
            case 2 -> new Wait.Child(turn.op++, anyRun());
            default -> new Wait.Timer(turn.op++, now.plusSeconds(9), "");
          });
    }
    return new Event.Suspended(until, waits, random.nextInt(4), random.nextBoolean(), value());
  }

  private Command.Send send() {
    return new Command.Send(anyRun(), uuid(), name(), value());
  }

  private static UUID message(Command sent) {
    return sent instanceof Command.Send send ? send.message() : ((Command.Emit) sent).message();
  }

  private Failure failure() {
    Failure cause = Failure.of("INNER", "because \ud834");
    return new Failure(
        "CODE",
        "java.lang.X",
        "it broke \u0000",
        value(),
        random.nextBoolean(),
        random.nextInt(3),
        new Failure.Source("step", "1", name()),
        random.nextBoolean() ? Optional.of(cause) : Optional.empty(),
        "at x\n\tat y");
  }

  private Json value() {
    return switch (random.nextInt(5)) {
      case 0 -> Json.NULL;
      case 1 -> Json.string("text \u0000 \ud800 😀 \" \\ \n");
      case 2 -> Json.parse("{\"a\":[1,2.50,-0.0,1e400],\"\":{}}");
      case 3 -> Json.string("x".repeat(random.nextInt(20) == 0 ? 9000 : 10));
      default -> Json.number(random.nextLong());
    };
  }

  private RunId anyRun() {
    if (runs.isEmpty() || random.nextInt(50) == 0) {
      return new RunId(uuid());
    }
    int recent = Math.min(runs.size(), 60);
    return runs.get(runs.size() - 1 - random.nextInt(recent));
  }

  /** Ids that sort neither by creation nor all the same way by sign. */
  private UUID uuid() {
    return new UUID(random.nextLong(), ++ids);
  }

  private String type(int tier) {
    return TIERS[tier][random.nextInt(TIERS[tier].length)];
  }

  private static int tier(String type) {
    return type.charAt(0) - 'a';
  }

  private String name() {
    return NAMES[random.nextInt(NAMES.length)];
  }

  private String topic() {
    return "topic" + random.nextInt(3);
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
