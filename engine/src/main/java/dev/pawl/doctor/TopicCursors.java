package dev.pawl.doctor;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events that a run has received of each topic, which come in the order of the topic: T3. What
 * a rewind takes back is received again, and so is everything by a script that starts over. Not
 * thread-safe.
 */
final class TopicCursors {
  private final Map<String, Long> cursors = new HashMap<>();
  private final List<Entry> received = new ArrayList<>(0);
  private final Findings findings;
  private boolean defined;

  TopicCursors(Findings findings) {
    this.findings = findings;
  }

  void take(Entry entry) {
    if (entry.event() instanceof Event.EventReceived event) {
      received.add(entry);
      long before = cursors.getOrDefault(event.topic(), 0L);
      if (event.position() <= before) {
        findings.add(
            "T3",
            "of topic '"
                + event.topic()
                + "' it had received position "
                + before
                + ", so only a later one could follow; at seq "
                + entry.seq()
                + " it received "
                + event.position());
      }
      cursors.put(event.topic(), event.position());
    }
    switch (entry.event()) {
      case Event.Pinned pinned -> defined = true;
      case Event.Retried retried when defined -> takeBack(0);
      case Event.Rewound rewound -> takeBack(rewound.keep());
      default -> {}
    }
  }

  private void takeBack(long keep) {
    received.removeIf(earlier -> earlier.seq() > keep);
    cursors.clear();
    received.forEach(this::again);
  }

  private void again(Entry entry) {
    if (entry.event() instanceof Event.EventReceived event) {
      cursors.put(event.topic(), event.position());
    }
  }
}
