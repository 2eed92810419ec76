package dev.pawl.bench;

import dev.pawl.bench.host.Child;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.machine.Processors;
import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Work;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What runs cost that wait: memory of the process, and processor time while nothing happens. */
final class Parked {
  /** Until the last of them have come to their wait. */
  private static final double SETTLING_SECONDS = 3;

  private final Options options;

  Parked(Options options) {
    this.options = options;
  }

  Play.Played play(Contender contender, Database database) throws Child.Refused, IOException {
    try (Child child = contender.start(List.of())) {
      Child.Opened opened = child.open(Play.place(database, "alone", 256));
      int runs = (int) Math.min(options.runs(Work.PARKED), child.tell("most", 0, "runs"));
      double empty = child.tell("heap", 0, "bytes");
      long start = System.nanoTime();
      child.tell("park", runs);
      double seconds = (System.nanoTime() - start) / 1e9;
      double full = child.tell("heap", 0, "bytes");
      rest(options.quick() ? 0 : SETTLING_SECONDS);
      double cpu = idleCpu(child);
      Measured measured =
          new Measured(
              runs,
              seconds,
              0,
              0,
              Map.of(
                  "parkedRuns",
                  (double) runs,
                  "bytesPerRun",
                  Math.max(0, full - empty) / runs,
                  "residentBytes",
                  (double) Processors.memory(child.pid()),
                  "cpuPercent",
                  cpu * 100));
      child.kill();
      return new Play.Played(opened, measured);
    }
  }

  /** Processor time over wall time, while all of them wait. */
  private double idleCpu(Child child) {
    double before = Processors.seconds(child.pid());
    long start = System.nanoTime();
    rest(options.seconds());
    return (Processors.seconds(child.pid()) - before) / ((System.nanoTime() - start) / 1e9);
  }

  private static void rest(double seconds) {
    try {
      Thread.sleep((long) (seconds * 1000));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
