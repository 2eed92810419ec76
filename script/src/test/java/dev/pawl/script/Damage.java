package dev.pawl.script;

import dev.pawl.json.Json;
import dev.pawl.log.Event;
import dev.pawl.store.Command;
import dev.pawl.store.Outcome;
import dev.pawl.store.Store;
import dev.pawl.testkit.ForwardingStore;
import java.util.ArrayList;
import java.util.List;

/**
 * A store that changes a byte of every snapshot on its way in. Closing it leaves the store open.
 */
final class Damage extends ForwardingStore {
  Damage(Store store) {
    super(store);
  }

  @Override
  public List<Outcome> commit(List<Command> commands) {
    return super.commit(commands.stream().map(Damage::damaged).toList());
  }

  private static Command damaged(Command command) {
    if (!(command instanceof Command.Advance advance)
        || !(advance.end().orElse(null) instanceof Event.Suspended suspended)) {
      return command;
    }
    String snapshot = suspended.snapshot().text();
    int middle = snapshot.indexOf("\":\"") + 40;
    char other = snapshot.charAt(middle) == 'A' ? 'B' : 'A';
    Json bad = Json.stored(snapshot.substring(0, middle) + other + snapshot.substring(middle + 1));
    List<Event> events = new ArrayList<>(advance.events());
    events.set(
        events.size() - 1,
        new Event.Suspended(
            suspended.until(), suspended.waits(), suspended.wakeAfter(), suspended.cleanup(), bad));
    return advance.withEvents(events);
  }

  @Override
  public void close() {}
}
