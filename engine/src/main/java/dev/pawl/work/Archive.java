package dev.pawl.work;

import dev.pawl.blob.Blobs;
import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Activation;
import dev.pawl.store.Definition;
import dev.pawl.store.Mail;
import dev.pawl.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a program can look up while it holds a run, and where it can keep what is too large for its
 * log. Thread-safe.
 */
public final class Archive {
  private static final int PAGE = 1000;

  private final Activation activation;
  private final ClaimedLogs logs;
  private final Store store;
  private final Blobs blobs;

  Archive(Activation activation, ClaimedLogs logs, Store store, Blobs blobs) {
    this.activation = activation;
    this.logs = logs;
    this.store = store;
    this.blobs = blobs;
  }

  public Blobs blobs() {
    return blobs;
  }

  /** What the store's transactions work with, if it has them. */
  public Optional<Class<?>> transactionResource() {
    return store.transactionResource();
  }

  /** The log up to the claim. */
  public List<Entry> history() {
    RunId id = activation.run().id();
    List<Entry> all = new ArrayList<>(upToClaim(logs.take(id)));
    long after = all.isEmpty() ? 0 : all.get(all.size() - 1).seq();
    while (after < activation.seq()) {
      List<Entry> page = store.log(id, after, PAGE);
      if (page.isEmpty()) {
        throw PawlException.internal(
            "the log of run " + id + " ends at " + after + ", not at " + activation.seq());
      }
      all.addAll(upToClaim(page));
      after = page.get(page.size() - 1).seq();
    }
    return all;
  }

  private List<Entry> upToClaim(List<Entry> entries) {
    return entries.stream().filter(entry -> entry.seq() <= activation.seq()).toList();
  }

  /** The entries of the run's log behind one place and up to another, in order. */
  public List<Entry> between(long after, long last) {
    int limit = (int) Math.min(Integer.MAX_VALUE, Math.max(0, last - after));
    return limit == 0 ? List.of() : store.log(activation.run().id(), after, limit);
  }

  public Optional<Run> run(RunId id) {
    return store.run(id);
  }

  public Optional<Run> runByKey(String key) {
    return store.runByKey(key);
  }

  /**
   * How another run has ended, if that was no later than this, and if no word of it lies in the
   * run's mailbox: of what happens within one millisecond, only the mailbox knows what came first.
   */
  public Optional<Event.Terminal> endOf(RunId other, Instant latest) {
    boolean ended =
        store.run(other).flatMap(Run::finishedAt).filter(at -> !at.isAfter(latest)).isPresent();
    return ended && !isAnnounced(other) ? lastEnd(other) : Optional.empty();
  }

  /** Asked behind the end itself: both were written together. */
  private boolean isAnnounced(RunId child) {
    return store.mail(activation.run().id()).stream()
        .anyMatch(mail -> mail instanceof Mail.ChildOutcome told && told.child().equals(child));
  }

  private Optional<Event.Terminal> lastEnd(RunId other) {
    Optional<Event.Terminal> end = Optional.empty();
    List<Entry> page = store.log(other, 0, PAGE);
    while (!page.isEmpty()) {
      Entry last = page.get(page.size() - 1);
      end = last.event() instanceof Event.Terminal found ? Optional.of(found) : Optional.empty();
      page = store.log(other, last.seq(), PAGE);
    }
    return end;
  }

  public Optional<Definition> definition(String hash) {
    return store.definition(hash);
  }

  /** The definition that a run of this type takes if it begins now. */
  public Optional<Definition> newestDefinition(String type) {
    return store.newestDefinition(type);
  }
}
