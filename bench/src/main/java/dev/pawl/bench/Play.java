package dev.pawl.bench;

import dev.pawl.bench.host.Child;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.machine.Processors;
import dev.pawl.bench.machine.Tables;
import dev.pawl.bench.report.Sample;
import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Order;
import dev.pawl.bench.works.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** One work at one concurrency, with the processes of those who take part. */
final class Play implements AutoCloseable {
  /** How many steps the flow has that is run to warm up. */
  private static final int LAP = 1000;

  private final Options options;
  private final Stage stage;
  private final Work work;
  private final int concurrency;
  private final Map<Contender, Child> children = new EnumMap<>(Contender.class);
  private final Map<Contender, Child> seconds = new EnumMap<>(Contender.class);

  Play(Options options, Stage stage, Work work, int concurrency) {
    this.options = options;
    this.stage = stage;
    this.work = work;
    this.concurrency = concurrency;
  }

  /** What came of a turn; limits are what the bare database does with the same rows, by name. */
  record Turn(Child.Opened opened, Sample sample, Map<String, Sample> limits) {}

  String title() {
    return work.word() + (options.concurrencies(work).size() > 1 ? " at " + concurrency : "");
  }

  Turn turn(Contender contender, Database database)
      throws Child.Refused, IOException, SQLException {
    Processors.Reading before = stage.processors();
    Played played =
        switch (work) {
          case SIGNAL -> signal(contender, database);
          case RECOVERY -> new Recovery(contender, options.runs(work)).play(database);
          case PARKED -> new Parked(options).play(contender, database);
          case STARTUP -> new Startup(stage.directory()).play(contender, database);
          case LONG -> longFlow(contender, database);
          default -> alone(contender, database);
        };
    double strangers = stage.processors().strangersSince(before);
    Map<String, Sample> limits =
        contender.isPawl() && Limits.apply(work)
            ? Limits.measure(stage, database, contender, played.measured())
            : Map.of();
    return new Turn(played.opened(), new Sample(played.measured(), strangers), limits);
  }

  /** What one way to play a turn gives. */
  record Played(Child.Opened opened, Measured measured) {}

  private Child child(Map<Contender, Child> of, Contender contender)
      throws IOException, Child.Refused {
    Child child = of.get(contender);
    if (child == null) {
      child = contender.start(List.of());
      of.put(contender, child);
    }
    return child;
  }

  static Map<String, Object> place(Database database, String role, int concurrency) {
    return Map.of(
        "url", database.url(),
        "jdbcUrl", database.jdbcUrl(),
        "user", database.user(),
        "password", database.password(),
        "role", role,
        "concurrency", concurrency);
  }

  private Order order(double warmSeconds) {
    return new Order(work, options.runs(work), concurrency, options.seconds(), warmSeconds);
  }

  private Order order() {
    return order(options.warmSeconds());
  }

  /**
   * Has the code of a contender compiled, in the processes that will play the turns, on a database
   * on which nothing is measured: the runs of a minute in its tables, and on their way to the disk,
   * would make the first turn unlike the others.
   */
  void rehearse(Contender contender, Database database) throws Child.Refused, IOException {
    if (work == Work.RECOVERY || work == Work.PARKED || work == Work.STARTUP) {
      return;
    }
    boolean two = work == Work.SIGNAL && isInTwo(contender);
    if (two) {
      child(seconds, contender).open(place(database, "worker", 1));
    }
    Child child = child(children, contender);
    child.open(place(database, two ? "client" : "alone", concurrency));
    child.warm(order(options.rehearsalSeconds()));
    child.tell("close", 0);
    if (two) {
      child(seconds, contender).tell("close", 0);
    }
  }

  private Played alone(Contender contender, Database database)
      throws Child.Refused, IOException, SQLException {
    Child child = child(children, contender);
    Child.Opened opened = child.open(place(database, "alone", concurrency));
    child.warm(order());
    boolean counted = contender.isPawl() && Limits.apply(work);
    long rows = counted ? Tables.settledRows(database) : 0;
    Measured measured = child.measure(order());
    // The last ends are durable when it has closed.
    child.tell("close", 0);
    return new Played(
        opened, counted ? measured.with("rows", (double) Tables.rows(database) - rows) : measured);
  }

  /** The flows wait in one process; the other starts and signals them and waits for the results. */
  private Played signal(Contender contender, Database database) throws Child.Refused, IOException {
    if (!isInTwo(contender)) {
      return signalAlone(contender, database);
    }
    Child worker = child(seconds, contender);
    Child client = child(children, contender);
    Child.Opened opened = worker.open(place(database, "worker", 1));
    client.open(place(database, "client", 1));
    client.warm(order());
    Measured measured = client.measure(order());
    client.tell("close", 0);
    worker.tell("close", 0);
    return new Played(opened, measured);
  }

  /** Whether two processes can share its store. */
  private static boolean isInTwo(Contender contender) {
    return contender.store().equals("postgres") || contender.store().equals("sqlite");
  }

  private Played signalAlone(Contender contender, Database database)
      throws Child.Refused, IOException {
    Child child = child(children, contender);
    Child.Opened opened = child.open(place(database, "alone", 1));
    child.warm(order());
    Measured measured = child.measure(order());
    child.tell("close", 0);
    return new Played(opened, measured);
  }

  /** In place first; then another process gets the signal and has to begin from the top. */
  private Played longFlow(Contender contender, Database database)
      throws Child.Refused, IOException {
    Child child = child(children, contender);
    Child.Opened opened = child.open(place(database, "alone", 1));
    child.warm(order());
    Measured measured = child.measure(order());
    child.tell("close", 0);
    Child other = child(seconds, contender);
    other.open(place(database, "alone", 1));
    int lap = Math.min(LAP, options.runs(work));
    double few = other.tell("cold", lap, "seconds");
    double many = other.tell("cold", options.runs(work), "seconds");
    other.tell("close", 0);
    return new Played(
        opened,
        measured
            .with("coldMicrosPerStepOf" + LAP, few * 1e6 / lap)
            .with("coldSeconds", many)
            .with("coldMicrosPerStep", many * 1e6 / options.runs(work)));
  }

  /** Ends the processes of one that has failed: nobody knows what state they are in. */
  void forget(Contender contender) {
    for (Map<Contender, Child> of : List.of(children, seconds)) {
      Child child = of.remove(contender);
      if (child != null) {
        child.kill();
        child.close();
      }
    }
  }

  @Override
  public void close() {
    children.values().forEach(Child::close);
    seconds.values().forEach(Child::close);
  }
}
