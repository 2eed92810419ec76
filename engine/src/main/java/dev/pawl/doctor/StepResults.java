package dev.pawl.doctor;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of steps that still count, by operation and by name: S4. What a rewind takes back is
 * forgotten. Not thread-safe.
 */
final class StepResults {
  private final Map<Object, Long> places = new HashMap<>();
  private final List<Repeat> repeats = new ArrayList<>(0);

  private record Use(String name, int n) {
    @Override
    public String toString() {
      return "step '" + name + "#" + n + "'";
    }
  }

  private record Operation(int op) {
    @Override
    public String toString() {
      return "operation " + op;
    }
  }

  private record Repeat(Object of, long first, long second) {}

  void take(Entry entry) {
    if (entry.event() instanceof Event.StepCompleted step) {
      boolean repeated = add(new Operation(step.op()), entry.seq());
      if (!repeated) {
        add(new Use(step.name(), step.n()), entry.seq());
      }
    } else if (entry.event() instanceof Event.Rewound rewound) {
      places.values().removeIf(seq -> seq > rewound.keep());
      repeats.removeIf(repeat -> repeat.second() > rewound.keep());
    }
  }

  private boolean add(Object key, long seq) {
    Long first = places.putIfAbsent(key, seq);
    if (first != null) {
      repeats.add(new Repeat(key, first, seq));
    }
    return first != null;
  }

  void report(Findings findings) {
    for (Repeat repeat : repeats) {
      findings.add(
          "S4",
          repeat.of()
              + " should have one result; it has one at seq "
              + repeat.first()
              + " and another at seq "
              + repeat.second());
    }
  }
}
