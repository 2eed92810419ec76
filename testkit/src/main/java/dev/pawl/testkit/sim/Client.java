package dev.pawl.testkit.sim;

import dev.pawl.Pawl;
import dev.pawl.StartOptions;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.NodeEvent;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Those who use the engine from outside: they start the plans, send the signals that runs wait for,
 * emit events, cancel, retry and rewind. Each goes on until it has been told that it is done.
 */
final class Client {
  private static final long MILLI = 1_000_000;

  private final Episode episode;
  private final Host host;
  private final Dice dice;
  private final Pawl pawl;
  private final Map<String, RunId> started = new HashMap<>();
  private final Set<RunId> disturbed = new HashSet<>();
  private final Set<RunId> reopened = new HashSet<>();
  private int open;
  private long acknowledged;
  private long emitted;

  private interface Order {
    void run();
  }

  Client(Episode episode, Host host, Dice dice, Pawl pawl) {
    this.episode = episode;
    this.host = host;
    this.dice = dice;
    this.pawl = pawl;
  }

  /** Whether everything was done that there was to do. */
  boolean isDone() {
    return open == 0;
  }

  long acknowledged() {
    return acknowledged;
  }

  boolean isDisturbed(RunId root) {
    return disturbed.contains(root);
  }

  boolean isReopened(RunId root) {
    return reopened.contains(root);
  }

  // ---- what it does ----

  void begin(List<Plan> roots) {
    for (Plan root : roots) {
      String key = "k" + root.id();
      start(pawl, host, root, key);
      if (dice.hits(0.3)) {
        start(pawl, host, root, key);
      }
    }
    host.start("emit", this::emitOn);
    host.start("pump", this::pump);
  }

  /** Starts a plan, from any host; several starts of one plan give one run. */
  void start(Pawl from, Host at, Plan plan, String key) {
    boolean sure = at == host;
    Runnable order =
        () -> {
          RunId id =
              from.start(
                      episode.cast().type(plan),
                      new Part(plan.id(), ""),
                      o -> limited(plan, o.key(key)))
                  .id();
          RunId before = started.putIfAbsent(key, id);
          if (before != null && !before.equals(id)) {
            episode
                .witness()
                .report("S7", id, "key " + key + " was given to " + before + " before");
          }
        };
    long delay = dice.between(0, 2_000) * MILLI;
    if (sure) {
      later(delay, order);
    } else {
      at.start(
          "start",
          () -> {
            at.sleep(delay);
            try {
              order.run();
            } catch (PawlException e) {
              // The client does it in any case.
            }
          });
    }
  }

  /** One plan in ten has to be done within some seconds. */
  private static StartOptions limited(Plan plan, StartOptions options) {
    return isLimited(plan) ? options.maxDuration(Duration.ofSeconds(5)) : options;
  }

  /** Whether a deadline may strike its run, and be caught, wherever it stands. */
  static boolean isLimited(Plan plan) {
    return plan.id() % 10 == 7;
  }

  /** A run has come to be. */
  void met(Run run) {
    Plan plan = episode.planOf(run);
    for (int i = 0; i < plan.acts().size(); i++) {
      String name = plan.id() + "-" + i;
      switch (plan.acts().get(i)) {
        case Plan.Act.Signal signal -> send(run.id(), name);
        case Plan.Act.SignalOr signal -> send(run.id(), name);
        case Plan.Act.SignalRace signal -> send(run.id(), name);
        default -> {}
      }
    }
    if (run.parent().isEmpty() || dice.hits(0.1)) {
      operate(run);
    }
  }

  private void send(RunId run, String name) {
    UUID message = host.newId();
    Command.Send send = new Command.Send(run, message, "g" + name, JsonCodec.encode("v" + name));
    int times = dice.hits(episode.duplicates()) ? 2 : 1;
    for (int i = 0; i < times; i++) {
      later(dice.between(0, 5_000) * MILLI, () -> commit(send));
    }
  }

  private Outcome commit(Command command) {
    return pawl.commits().commit(command);
  }

  private void operate(Run run) {
    RunId root = run.root();
    double what = dice.fraction();
    long when = dice.between(0, 6_000) * MILLI;
    if (what < 0.12) {
      disturbed.add(root);
      later(when, () -> commit(new Command.Cancel(run.id(), "simulated", what < 0.02)));
    } else if (what < 0.2) {
      reopened.add(root);
      later(when, () -> pawl.retry(run.id()));
    } else if (what < 0.28) {
      reopened.add(root);
      later(when, () -> rewind(run));
    } else if (what < 0.34) {
      later(when, () -> aStep(run).ifPresent(step -> pawl.fork(run.id(), step)));
    }
  }

  /** One of the steps of a flow, or nodes of a graph, that the run has on record. */
  private Optional<String> aStep(Run run) {
    for (Entry entry : pawl.log(run.id())) {
      Optional<String> step = step(entry.event());
      if (step.isPresent() && dice.hits(0.5)) {
        return step;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> step(Event event) {
    return switch (event) {
      case Event.StepCompleted step -> Optional.of(step.name() + "#" + step.n());
      case NodeEvent.Scheduled node -> Optional.of(node.node());
      default -> Optional.empty();
    };
  }

  private void rewind(Run run) {
    aStep(run).ifPresent(step -> pawl.rewind(run.id(), step));
  }

  private void emitOn() {
    while (true) {
      host.sleep(dice.between(200, 2_500) * MILLI);
      String topic = "t" + dice.below(2);
      Json value = JsonCodec.encode("e-" + emitted++);
      Command.Emit emit = new Command.Emit(host.newId(), topic, value);
      until(() -> commit(emit));
    }
  }

  /** Signals that were lost to a rewind, or went to another wait, are sent again. */
  private void pump() {
    while (true) {
      host.sleep(3_000 * MILLI);
      if (!episode.isHealed()) {
        continue;
      }
      for (Run run : List.copyOf(episode.witness().runs())) {
        if (run.status() == Status.SUSPENDED && run.due().isEmpty()) {
          episode.witness().waiting(run).ifPresent(waits -> sendAgain(run, waits));
        }
      }
    }
  }

  private void sendAgain(Run run, Event.Suspended suspended) {
    for (Wait wait : suspended.waits()) {
      if (wait instanceof Wait.Signal signal && !isThere(run, signal.name())) {
        String value = "v" + signal.name().substring(1);
        Command.Send send =
            new Command.Send(run.id(), host.newId(), signal.name(), JsonCodec.encode(value));
        until(() -> commit(send));
      }
    }
  }

  private boolean isThere(Run run, String name) {
    return episode.store().mail(run.id()).stream()
        .anyMatch(mail -> mail instanceof Mail.Signal signal && signal.name().equals(name));
  }

  // ---- until it is done ----

  private void later(long nanos, Runnable order) {
    open++;
    host.start(
        "client",
        () -> {
          host.sleep(nanos);
          until(order::run);
          open--;
        });
  }

  private void until(Order order) {
    while (true) {
      try {
        order.run();
        acknowledged++;
        return;
      } catch (PawlException e) {
        if (e.code() == ErrorCode.CONFLICT || e.code() == ErrorCode.NOT_FOUND) {
          return;
        }
        host.sleep(dice.between(50, 500) * MILLI);
      }
    }
  }
}
