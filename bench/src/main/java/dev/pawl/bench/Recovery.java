package dev.pawl.bench;

import dev.pawl.bench.host.Child;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.works.Measured;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A process is killed when all its runs are in their second step; the clock runs from there until
 * another, which was started but not opened, has finished them all. How soon a dead worker is
 * noticed is the engine's own setting.
 */
final class Recovery {
  private final Contender contender;
  private final int runs;

  Recovery(Contender contender, int runs) {
    this.contender = contender;
    this.runs = runs;
  }

  Play.Played play(Database database) throws Child.Refused, IOException {
    try (Child doomed = contender.start(List.of());
        Child heir = contender.start(List.of())) {
      Child.Opened opened = doomed.open(Play.place(database, "doomed", runs + 100));
      doomed.tell("block", runs);
      long start = System.nanoTime();
      doomed.kill();
      heir.open(Play.place(database, "alone", runs));
      heir.tell("finish", runs);
      double seconds = (System.nanoTime() - start) / 1e9;
      heir.tell("close", 0);
      return new Play.Played(
          opened, new Measured(runs, seconds, seconds * 1000, seconds * 1000, Map.of()));
    }
  }
}
