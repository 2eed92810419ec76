package dev.pawl.commit;

import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import dev.pawl.store.Store;
import dev.pawl.testkit.ForwardingStore;
import java.util.List;
import java.util.Optional;

/** A store to which something happens before each reading. */
final class Meanwhile extends ForwardingStore {
  private final Runnable event;

  Meanwhile(Store store, Runnable event) {
    super(store);
    this.event = event;
  }

  @Override
  public Optional<Run> run(RunId id) {
    event.run();
    return super.run(id);
  }

  @Override
  public List<Entry> log(RunId id, long after, int limit) {
    event.run();
    return super.log(id, after, limit);
  }

  @Override
  public List<Mail> mail(RunId id) {
    event.run();
    return super.mail(id);
  }
}
