package dev.pawl.store.sql.batch;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An event in the form it is stored in. Making one is the part of an append that can fail for what
 * is in the event.
 */
public record Line(Entry entry, String kind, String data) {

  /** The events as they will stand in the log behind {@code lastSeq}. */
  public static List<Line> of(long lastSeq, Instant now, long epoch, List<? extends Event> events) {
    List<Line> lines = new ArrayList<>(events.size());
    for (Event event : events) {
      Entry entry = new Entry(lastSeq + lines.size() + 1, now, epoch, event);
      lines.add(new Line(entry, EventCodec.kind(event), EventCodec.data(event).text()));
    }
    return lines;
  }
}
