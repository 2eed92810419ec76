package dev.pawl.store.sql;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Command;
import dev.pawl.store.NewRun;
import dev.pawl.store.Outcome;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import dev.pawl.time.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the tests of this package do again and again. */
public final class Scene {
  public static final String TYPE = "scene.play.v1";

  private Scene() {}

  public static RunId id() {
    return new RunId(Ids.next());
  }

  public static NewRun run() {
    return NewRun.of(id(), TYPE, Json.string("payload"));
  }

  public static Command.Claimant claimant(String worker) {
    return new Command.Claimant(worker, Duration.ofSeconds(30), 1);
  }

  public static Outcome commit(Store store, Command command) {
    return store.commit(List.of(command)).get(0);
  }

  /** A new run that the worker holds. */
  public static Activation started(Store store, String worker) {
    return ((Outcome.Started)
            commit(store, new Command.Start(run(), Optional.of(claimant(worker)))))
        .activation()
        .orElseThrow();
  }

  public static List<Activation> claim(Store store, String worker, int max) {
    return ((Outcome.Claimed)
            commit(store, new Command.Claim(claimant(worker), Routes.of(TYPE), max)))
        .activations();
  }

  public static Event step(String name) {
    return new Event.StepCompleted(0, name, 0, 1, Json.number(1), 2);
  }

  public static Command.Advance advance(Activation held, long offset, Event event) {
    return new Command.Advance(
        held.run().id(),
        held.run().epoch(),
        held.seq() + offset,
        held.run().wakes(),
        List.of(event));
  }

  public static Command.Transact transact(Activation held, Command.Transact.Body body) {
    return new Command.Transact(held.run().id(), held.run().epoch(), held.seq() + 1, body);
  }
}
