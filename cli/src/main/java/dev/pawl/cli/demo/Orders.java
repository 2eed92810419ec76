package dev.pawl.cli.demo;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.json.Json;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.RunId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The orders of the demonstration, as their logs tell. */
final class Orders {
  private final Pawl pawl;
  private final List<Placed> placed;

  private record Placed(String name, RunId run) {}

  /** An order at one moment. */
  record View(String name, RunId run, List<Entry> log) {
    boolean has(String step) {
      return events()
          .anyMatch(event -> event instanceof Event.StepCompleted done && done.name().equals(step));
    }

    private Stream<Event> events() {
      return log.stream().map(Entry::event);
    }

    boolean isDone() {
      return log.getLast().event() instanceof Event.Succeeded;
    }

    boolean isRunning() {
      return events().anyMatch(Event.Leased.class::isInstance) && !isDone();
    }

    /** When a worker took the order, behind a moment. */
    Optional<Instant> takenAfter(Instant moment) {
      return log.stream()
          .filter(entry -> entry.event() instanceof Event.Leased && entry.at().isAfter(moment))
          .map(Entry::at)
          .findFirst();
    }
  }

  private Orders(Pawl pawl, List<Placed> placed) {
    this.pawl = pawl;
    this.placed = placed;
  }

  static Orders place(Pawl pawl, int number) {
    List<Placed> placed = new ArrayList<>();
    for (int i = 1; i <= number; i++) {
      String name = "order-%02d".formatted(i);
      String payload = new JsonLine().put("id", name).put("cents", 1000L + 250L * i).text();
      RunHandle<Json> run = pawl.start(Shop.TYPE, Json.written(payload), o -> o.key(name));
      placed.add(new Placed(name, run.id()));
    }
    return new Orders(pawl, placed);
  }

  List<View> look() {
    return placed.stream()
        .map(order -> new View(order.name(), order.run(), pawl.log(order.run())))
        .toList();
  }
}
