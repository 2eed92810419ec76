package dev.pawl.bench;

import dev.pawl.Pawl;
import dev.pawl.bench.host.Child;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.machine.Processors;
import dev.pawl.bench.report.Result;
import dev.pawl.bench.report.Results;
import dev.pawl.bench.report.Sample;
import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Order;
import dev.pawl.bench.works.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Whether Pawl gets slower by what is in its store and has nothing to do. */
final class Growth {
  private static final int TASKS = 5000;
  private static final int AT_ONCE = 64;

  private final Options options;
  private final Stage stage;
  private final Results results;
  private final Consumer<String> progress;
  private final Consumer<Result> told;

  Growth(
      Options options,
      Stage stage,
      Results results,
      Consumer<String> progress,
      Consumer<Result> told) {
    this.options = options;
    this.stage = stage;
    this.results = results;
    this.progress = progress;
    this.told = told;
  }

  /** A store of some size, and the process that works on it. */
  private record Level(
      int stored, Database database, Child child, List<Sample> tasks, List<Sample> flows) {}

  void measure() throws IOException, SQLException {
    for (Contender contender : options.contenders()) {
      if (contender.isPawl() && !options.grow().isEmpty()) {
        measure(contender);
      }
    }
  }

  /** All sizes are there at once, and have their turns in each round. */
  private void measure(Contender contender) throws IOException, SQLException {
    List<Level> levels = new ArrayList<>();
    try {
      for (int stored : options.grow()) {
        Optional<Database> database = stage.fresh(contender);
        if (database.isEmpty()) {
          results.miss(contender.word() + " is skipped: " + stage.why());
          return;
        }
        Child child = contender.start(List.of());
        levels.add(new Level(stored, database.get(), child, new ArrayList<>(), new ArrayList<>()));
        fill(database.get(), stored);
      }
      play(contender, levels);
    } catch (Child.Refused | RuntimeException e) {
      String line = "growth " + contender.word() + " failed: " + e.getMessage();
      results.miss(line);
      progress.accept(line);
    } finally {
      for (Level level : levels) {
        level.child().close();
        stage.drop(level.database());
      }
    }
  }

  private void fill(Database database, int stored) {
    long start = System.nanoTime();
    try (Pawl pawl = Pawl.open(database.url())) {
      new Filling(pawl.store()).fill(stored);
    }
    progress.accept(
        "filled %s with %,d suspended and as many finished runs in %.0f s"
            .formatted(
                database.isSqlite() ? "SQLite" : "Postgres",
                stored,
                (System.nanoTime() - start) / 1e9));
  }

  private void play(Contender contender, List<Level> levels) throws Child.Refused {
    Child.Opened opened = new Child.Opened("", "");
    for (int round = 0; round < options.rounds(); round++) {
      for (Level level : levels) {
        opened = level.child().open(Play.place(level.database(), "alone", AT_ONCE));
        level.tasks().add(sample(level.child(), Work.TASK, round));
        level.flows().add(sample(level.child(), Work.FLOW5, round));
        double claim = level.child().tell("claims", 0, "millis");
        level.tasks().add(with(level.tasks().removeLast(), claim));
        level.child().tell("close", 0);
      }
    }
    for (Level level : levels) {
      tell(contender, Work.TASK, level.stored(), opened, level.tasks());
      tell(contender, Work.FLOW5, level.stored(), opened, level.flows());
    }
  }

  private Sample sample(Child child, Work work, int round) throws Child.Refused {
    Order order =
        new Order(
            work,
            work == Work.TASK ? Math.min(TASKS, options.runs(work)) : options.runs(work),
            AT_ONCE,
            options.seconds(),
            round == 0 ? options.rehearsalSeconds() : options.warmSeconds());
    child.warm(order);
    Processors.Reading before = stage.processors();
    Measured measured = child.measure(order);
    return new Sample(measured, stage.processors().strangersSince(before));
  }

  private static Sample with(Sample sample, double claim) {
    return new Sample(sample.measured().with("claimMillis", claim), sample.strangers());
  }

  private void tell(
      Contender contender, Work work, int stored, Child.Opened opened, List<Sample> samples) {
    Result result =
        new Result(
            Results.today(),
            work,
            contender.system(),
            contender.store(),
            true,
            work == Work.TASK ? 1 : AT_ONCE,
            Optional.of(stored),
            opened.settings(),
            opened.durability(),
            samples);
    results.add(result);
    told.accept(result);
    progress.accept(
        "%s %s with %,d stored: %,.0f runs/s"
            .formatted(work.word(), contender.word(), stored, result.runsPerSecond()));
  }
}
