package dev.pawl.testkit.sim;

import dev.pawl.Pawl;
import dev.pawl.doctor.Violation;
import dev.pawl.json.JsonCodec;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Command;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/**
 * One seed from beginning to end: some plans, some workers, some faults; then the faults stop, and
 * everything must end as the model says.
 */
final class Episode {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long PATIENCE = 900 * SECOND;
  private static final long MAX_MOVES = 400_000;
  private static final int LOOK_EVERY = 16;
  private static final RunId NOBODY = new RunId(new UUID(0, 0));

  private final long seed;
  private final Dice dice;
  private final Universe universe;
  private final Store store;
  private final Witness witness;
  private final Ledger ledger;
  private final Client client;
  private final Faults storm;
  private final double duplicates;
  private final Duration lease;
  private final Map<Integer, Plan> plans = new TreeMap<>();
  private final List<Plan> roots = new ArrayList<>();
  private final List<Notation> notations;
  private final Cast cast;
  private final Map<Host, Pawl> workers = new LinkedHashMap<>();
  private int hosts;
  private int pending;
  private boolean healed;

  /** What came of it. */
  record Result(
      long seed,
      long trace,
      List<Violation> violations,
      long runs,
      long commits,
      long moves,
      long orders,
      Map<Deed, Long> deeds) {}

  /** An episode in which every plan is a flow. */
  Episode(long seed, Sabotage sabotage) {
    this(seed, sabotage, List.of());
  }

  /** An episode in which plans are flows, or written in one of the notations. */
  Episode(long seed, Sabotage sabotage, List<Notation> notations) {
    this.seed = seed;
    this.notations = notations;
    this.dice = new Dice(seed);
    this.universe = new Universe(dice.split());
    this.storm = Faults.random(dice.split());
    this.duplicates = dice.hits(0.5) ? 0.5 : 0;
    this.lease = Duration.ofMillis(dice.between(1_000, 4_000));
    SimClock clock = new SimClock(universe);
    this.store = sabotage.apply(new MemoryStore(clock), clock);
    this.witness = new Witness(universe, clock, store, this::met);
    this.ledger = new Ledger(universe, witness);
    makePlans();
    // Dice of their own, so that without notations a seed is what it was before there were any.
    this.cast = new Cast(notations, new Dice(~seed), plans.values());
    cast.definitions().forEach(each -> store.commit(List.of(new Command.Deploy(each))));
    Host host = newHost();
    Pawl pawl = Pawl.open(new Wire(this, host, dice.split(), false), host);
    this.client = new Client(this, host, dice.split(), pawl);
  }

  private void makePlans() {
    Plan.Maker maker = new Plan.Maker(dice.split());
    int many = dice.between(1, 4);
    for (int i = 0; i < many; i++) {
      roots.add(maker.root());
    }
    roots.forEach(root -> root.all().forEach(plan -> plans.put(plan.id(), plan)));
  }

  // ---- the course of it ----

  Result play() {
    int many = dice.between(1, 3);
    for (int i = 0; i < many; i++) {
      boot();
    }
    client.begin(roots);
    trouble();
    universe.after(dice.between(500, 12_000) * MILLI, null, this::heal);
    boolean moving = true;
    while (moving && !isOver()) {
      moving = universe.step();
    }
    if (witness.violations().isEmpty()) {
      new Reckoning(this).check();
    }
    return new Result(
        seed,
        universe.trace(),
        witness.violations(),
        witness.runs().size(),
        witness.commits(),
        universe.moves(),
        client.acknowledged(),
        deeds());
  }

  private Map<Deed, Long> deeds() {
    Map<Deed, Long> deeds = Deed.none();
    witness.runs().forEach(run -> Deed.count(run, witness.log(run.id()), deeds));
    return deeds;
  }

  private boolean isOver() {
    if (!witness.violations().isEmpty() || universe.moves() > MAX_MOVES) {
      return true;
    }
    return universe.moves() % LOOK_EVERY == 0
        && (universe.nanos() > PATIENCE || (healed && isEverythingDone()));
  }

  boolean isEverythingDone() {
    return client.isDone() && pending == 0 && witness.isEverythingOver();
  }

  /** A process begins to work. */
  private void boot() {
    Host host = newHost();
    Dice own = dice.split();
    host.skew(own.hits(storm.skew()) ? own.between(-60_000, 60_000) : 0);
    host.start(
        "boot",
        () -> {
          Pawl pawl = Pawl.open(new Wire(this, host, own, true), host);
          Player player = new Player(this, host);
          pawl.register(player.flow()).register(player.task());
          notations.forEach(each -> pawl.register(each.program(player)));
          pawl.work(w ->
              w.lease(lease)
                  .concurrency(own.between(1, 6))
                  .poll(Duration.ofMillis(own.between(300, 2_000)))
                  .drain(Duration.ofMillis(500)));
          workers.put(host, pawl);
          if (own.hits(0.3)) {
            Plan root = own.of(roots);
            client.start(pawl, host, root, "k" + root.id());
          }
        });
  }

  private Host newHost() {
    return new Host(universe, hosts++, dice.split(), this::uncaught);
  }

  private void uncaught(Throwable error) {
    RunId any = witness.runs().stream().map(Run::id).findFirst().orElse(NOBODY);
    witness.report("MODEL", any, "a thread died of " + error);
  }

  /** Now and then something happens to the workers that has nothing to do with a commit. */
  private void trouble() {
    universe.after(
        dice.between(200, 2_000) * MILLI,
        null,
        () -> {
          if (!healed) {
            List.copyOf(workers.keySet()).forEach(this::trouble);
            trouble();
          }
        });
  }

  private void trouble(Host host) {
    if (dice.hits(storm.crash())) {
      died(host);
    } else if (dice.hits(storm.pause() * 5)) {
      host.pause(longerThanALease(dice));
    } else if (dice.hits(storm.restart() * 10)) {
      restart(host);
    }
    if (dice.hits(storm.skew())) {
      host.skew(dice.between(-60_000, 60_000));
    }
  }

  private void restart(Host host) {
    Pawl pawl = Objects.requireNonNull(workers.remove(host));
    host.start("close", pawl::close);
    universe.after(dice.between(1, 1_000) * MILLI, null, this::boot);
  }

  /** A process is no more; another one takes its place. */
  void died(Host host) {
    host.die();
    if (workers.remove(host) != null) {
      universe.after(dice.between(1, 3_000) * MILLI, null, this::boot);
    }
  }

  private void heal() {
    healed = true;
  }

  private void met(Run run) {
    if (isPlan(run)) {
      client.met(run);
    }
  }

  /** Has something happen to the store that nobody waits for. */
  void later(long nanos, Runnable action) {
    pending++;
    universe.after(
        nanos,
        null,
        () -> {
          pending--;
          action.run();
        });
  }

  // ---- what others ask ----

  Universe universe() {
    return universe;
  }

  Store store() {
    return store;
  }

  Witness witness() {
    return witness;
  }

  Ledger ledger() {
    return ledger;
  }

  Client client() {
    return client;
  }

  Faults faults() {
    return healed ? Faults.NONE : storm;
  }

  boolean isHealed() {
    return healed;
  }

  double duplicates() {
    return duplicates;
  }

  Cast cast() {
    return cast;
  }

  Plan plan(int id) {
    return Objects.requireNonNull(plans.get(id));
  }

  static boolean isPlan(Run run) {
    return Cast.isPlan(run.type());
  }

  Plan planOf(Run run) {
    return plan(Objects.requireNonNull(JsonCodec.decode(run.payload(), Part.class)).plan());
  }

  long longerThanALease(Dice by) {
    return by.between(1, 3) * lease.toNanos() + by.between(0, 1_000) * MILLI;
  }

  /** How long a piece of work takes: seldom longer than a lease. */
  long workMillis(int usual) {
    return dice.hits(0.02) ? usual + 5_000 : usual == 0 ? 0 : dice.below(usual + 1);
  }
}
