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

  void measure() throws IOException, SQLException {
    for (Contender contender : options.contenders()) {
      if (contender.isPawl()) {
        for (int stored : options.grow()) {
          measure(contender, stored);
        }
      }
    }
  }

  private void measure(Contender contender, int stored) throws IOException, SQLException {
    Optional<Database> database = stage.fresh(contender);
    if (database.isEmpty()) {
      results.miss(contender.word() + " is skipped: " + stage.why());
      return;
    }
    try {
      fill(database.get(), stored);
      play(contender, stored, database.get());
    } catch (Child.Refused | RuntimeException e) {
      String line = "growth " + contender.word() + " failed: " + e.getMessage();
      results.miss(line);
      progress.accept(line);
    } finally {
      stage.drop(database.get());
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

  private void play(Contender contender, int stored, Database database)
      throws IOException, Child.Refused {
    try (Child child = contender.start(List.of())) {
      Child.Opened opened = child.open(Play.place(database, "alone", AT_ONCE));
      List<Sample> tasks = new ArrayList<>();
      List<Sample> flows = new ArrayList<>();
      for (int round = 0; round < options.rounds(); round++) {
        tasks.add(sample(child, Work.TASK, round));
        flows.add(sample(child, Work.FLOW5, round));
      }
      double claim = child.tell("claims", 0, "millis");
      child.tell("close", 0);
      tasks.replaceAll(sample -> with(sample, claim));
      tell(contender, Work.TASK, stored, opened, tasks);
      tell(contender, Work.FLOW5, stored, opened, flows);
    }
  }

  private Sample sample(Child child, Work work, int round) throws Child.Refused {
    Order order =
        new Order(
            work,
            work == Work.TASK ? Math.min(TASKS, options.runs(work)) : options.runs(work),
            AT_ONCE,
            options.seconds(),
            options.warmSeconds(round));
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
