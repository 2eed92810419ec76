package dev.pawl.cli.bench;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.commit.GroupCommit;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Measures one work on one store, through the public API, with the worker in the same process. */
public final class Bench {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int MAX_WARM_UPS = 5;
  private static final double WORTH_ANOTHER = 1.1;

  private final String url;
  private final IntConsumer progress;

  /**
   * @param progress told from time to time how many runs have ended
   */
  public Bench(String url, IntConsumer progress) {
    this.url = url;
    this.progress = progress;
  }

  /** Measures a work and, on SQLite, right behind it the same rows without Pawl. */
  public Figures measure(Work work, int concurrency, int runs) {
    Figures figures = measureWork(work, concurrency, runs);
    boolean comparable =
        url.startsWith("sqlite:") && work != Work.SIGNAL && work != Work.FANOUT1000;
    if (!comparable) {
      return figures;
    }
    Path file = Path.of(url.substring("sqlite:".length()).replaceFirst("\\?.*", ""));
    double rows = figures.rowsPerSecond() * figures.seconds();
    int batch = (int) Math.max(1, Math.round(rows / figures.commits()));
    return figures.withRaw(RawSqlite.rowsPerSecond(file, runs, batch));
  }

  /** Warms up, then measures. */
  private Figures measureWork(Work work, int concurrency, int runs) {
    try (Pawl pawl = Pawl.open(url)) {
      pawl.register(Subjects.TASK)
          .register(Subjects.FLOW1)
          .register(Subjects.FLOW5)
          .register(Subjects.SIGNAL)
          .register(Subjects.FANOUT);
      pawl.work(
          worker -> worker.concurrency(Math.max(concurrency, work == Work.FANOUT1000 ? 256 : 1)));
      warmUp(pawl, work, concurrency, runs);
      GroupCommit.Totals before = pawl.commits().totals();
      long start = System.nanoTime();
      Outcomes outcomes = run(pawl, work, concurrency, runs);
      double seconds = (System.nanoTime() - start) / 1e9;
      GroupCommit.Totals after = pawl.commits().totals();
      return new Figures(
          work,
          url.replaceFirst(":.*", ""),
          pawl.store().durability(),
          concurrency,
          runs,
          seconds,
          outcomes.latencies().percentileMillis(0.5),
          outcomes.latencies().percentileMillis(0.99),
          after.commands() - before.commands(),
          after.commits() - before.commits(),
          (double) runs * rowsPerRun(work) / seconds,
          Optional.empty(),
          work == Work.FANOUT1000 ? Optional.of(outcomes.resumes()) : Optional.empty());
    }
  }

  /** Runs the work until it gets no faster, so that what is measured is compiled code. */
  private void warmUp(Pawl pawl, Work work, int concurrency, int runs) {
    double last = 0;
    for (int round = 0; round < MAX_WARM_UPS; round++) {
      long start = System.nanoTime();
      run(pawl, work, concurrency, runs);
      double rate = runs / (double) (System.nanoTime() - start);
      if (rate < last * WORTH_ANOTHER) {
        return;
      }
      last = rate;
    }
  }

  /** Rows are counted by what a run of the work is known to write: its row and its log. */
  private static long rowsPerRun(Work work) {
    return switch (work) {
      case TASK -> 1 + 3;
      case FLOW1 -> 1 + 4;
      case FLOW5 -> 1 + 8;
      case SIGNAL -> 1 + 6;
      case FANOUT1000 -> Subjects.CHILDREN * 4L + 2 * Subjects.CHILDREN;
    };
  }

  /** How long each run took, and the most often that one was claimed. */
  private record Outcomes(Latencies latencies, long resumes) {}

  private Outcomes run(Pawl pawl, Work work, int concurrency, int runs) {
    return switch (work) {
      case TASK -> drain(pawl, runs);
      case FLOW1 -> loop(concurrency, runs, i -> pawl.start(Subjects.FLOW1, i).result(PATIENCE));
      case FLOW5 -> loop(concurrency, runs, i -> pawl.start(Subjects.FLOW5, i).result(PATIENCE));
      case SIGNAL -> signal(pawl, runs);
      case FANOUT1000 -> fanOut(pawl, runs);
    };
  }

  private Outcomes drain(Pawl pawl, int runs) {
    List<Integer> inputs = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      inputs.add(i);
    }
    long start = System.nanoTime();
    List<RunHandle<Integer>> handles = pawl.startAll(Subjects.TASK, inputs);
    Latencies latencies = new Latencies(runs);
    for (int i = 0; i < runs; i++) {
      handles.get(i).result(PATIENCE);
      latencies.set(i, System.nanoTime() - start);
      progress.accept(i + 1);
    }
    return new Outcomes(latencies, 0);
  }

  @FunctionalInterface
  private interface OneRun {
    void run(int number);
  }

  /** As many virtual threads as the concurrency says, each with one run at a time. */
  private Outcomes loop(int concurrency, int runs, OneRun one) {
    Latencies latencies = new Latencies(runs);
    AtomicInteger next = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    AtomicReference<RuntimeException> problem = new AtomicReference<>();
    CountDownLatch all = new CountDownLatch(concurrency);
    for (int t = 0; t < concurrency; t++) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              for (int i = next.getAndIncrement(); i < runs; i = next.getAndIncrement()) {
                long start = System.nanoTime();
                one.run(i);
                latencies.set(i, System.nanoTime() - start);
                progress.accept(done.incrementAndGet());
              }
            } catch (RuntimeException e) {
              problem.set(e);
              next.set(runs);
            } finally {
              all.countDown();
            }
          });
    }
    await(all);
    if (problem.get() != null) {
      throw problem.get();
    }
    return new Outcomes(latencies, 0);
  }

  /** One at a time: the run is suspended on its signal before the clock starts. */
  private Outcomes signal(Pawl pawl, int runs) {
    Latencies latencies = new Latencies(runs);
    for (int i = 0; i < runs; i++) {
      RunHandle<Integer> run = pawl.start(Subjects.SIGNAL, i);
      while (run.run().status() != dev.pawl.log.Status.SUSPENDED) {
        Thread.onSpinWait();
      }
      long start = System.nanoTime();
      run.signal("go", i);
      run.result(PATIENCE);
      latencies.set(i, System.nanoTime() - start);
      progress.accept(i + 1);
    }
    return new Outcomes(latencies, 0);
  }

  private Outcomes fanOut(Pawl pawl, int runs) {
    Latencies latencies = new Latencies(runs);
    long most = 0;
    for (int i = 0; i < runs; i++) {
      long start = System.nanoTime();
      RunHandle<Integer> run = pawl.start(Subjects.FANOUT, i);
      Integer got = run.result(PATIENCE);
      latencies.set(i, System.nanoTime() - start);
      if (got == null || got != Subjects.CHILDREN) {
        throw PawlException.internal(
            "a fan-out of " + Subjects.CHILDREN + " came back with " + got);
      }
      most =
          Math.max(
              most,
              pawl.log(run.id()).stream()
                  .map(Entry::event)
                  .filter(Event.Leased.class::isInstance)
                  .count());
      progress.accept(i + 1);
    }
    return new Outcomes(latencies, most - 1);
  }

  private static void await(CountDownLatch all) {
    try {
      all.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PawlException.closed("the bench");
    }
  }
}
