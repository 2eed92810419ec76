package dev.pawl.store.sql.postgres;

import dev.pawl.error.PawlException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Mail;
import dev.pawl.store.sql.batch.Known;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction knows of a run, and what it has decided about it but not yet written: {@code
 * stored} is the row as the database has it, {@code run} as it will be.
 */
final class KnownRun extends Known {
  /** The version of the row that was decided on. */
  long version;

  @Nullable Run stored;

  /**
   * Nobody has looked: a writer says where the log ends, and the database is asked as it writes.
   */
  boolean presumed;

  /** Whether an entry to be written asks for it. */
  boolean probed;

  /** Whether this transaction leased it. */
  boolean leasedHere;

  /** Whether the row was locked as it was read: it stays there, and as it was. */
  boolean locked;

  /** Whether it is leased through this store, by all that is known here. */
  boolean held;

  /** Entries of its log that are to be written with its row, by {@link Kept#page}. */
  @Nullable String page;

  /** The request to cancel in the mailbox; 0 if there is none. */
  long cancelId;

  /** The last entry but heartbeats, if it is known, as it matters for an expired lease. */
  @Nullable String lastWord;

  // ---- the mailbox ----

  /** What the database has; null if it was not read. */
  @Nullable List<Mail> mail;

  final List<Mail> posted = new ArrayList<>();
  final Set<Long> consumed = new HashSet<>();
  boolean emptied;

  // ---- the waits ----

  /** What the run waits for; null if it was not read. */
  @Nullable Set<WaitRow> waits;

  boolean waitsChanged;

  private KnownRun(RunId id, long epoch, Status status, long lastSeq, @Nullable Run run) {
    super(id, epoch, status, lastSeq, run);
  }

  /** A run that is to be written. */
  static KnownRun fresh(Run run) {
    KnownRun known = new KnownRun(run.id(), run.epoch(), run.status(), 0, run);
    known.waits = new LinkedHashSet<>();
    known.mail = List.of();
    return known;
  }

  /** A row as it was read. */
  static KnownRun stored(Run run, long version, long lastSeq, long cancelId) {
    KnownRun known = new KnownRun(run.id(), run.epoch(), run.status(), lastSeq, run);
    known.stored = run;
    known.version = version;
    known.cancelId = cancelId;
    if (run.status() != Status.SUSPENDED) {
      known.waits = new LinkedHashSet<>();
    }
    return known;
  }

  /** A row as it is remembered of a run that is leased through this store. */
  static KnownRun held(HeldRuns.Held run) {
    KnownRun known = stored(run.run(), run.version(), run.lastSeq(), run.cancelId());
    known.held = true;
    return known;
  }

  /** A run of which its writer says that it holds it. */
  static KnownRun presumed(RunId id, long epoch, long lastSeq) {
    KnownRun known = new KnownRun(id, epoch, Status.RUNNING, lastSeq, null);
    known.presumed = true;
    return known;
  }

  Run current() {
    if (run == null) {
      throw PawlException.internal("the row of run " + id + " was not read");
    }
    return run;
  }

  /** The row as the database has it. */
  Run before() {
    if (stored == null) {
      throw PawlException.internal("run " + id + " has no row yet");
    }
    return stored;
  }

  boolean isNew() {
    return stored == null && run != null;
  }

  boolean isChanged() {
    return stored != null && !stored.equals(run);
  }

  /** Whether anything may have been decided about it but what goes into its log. */
  @SuppressWarnings("ReferenceEquality") // the same row is the common case, and quickly told
  boolean isTouched() {
    return run != stored || waitsChanged || emptied || !posted.isEmpty() || !consumed.isEmpty();
  }

  /** Whether its row is to be changed, and nothing beside it: no mail, no waits. */
  boolean isAllThatChanges() {
    boolean besides = hadWaits() || (waits != null && !waits.isEmpty());
    return isChanged()
        && !isHidden()
        && !emptied
        && posted.isEmpty()
        && consumed.isEmpty()
        && !(waitsChanged && besides);
  }

  /** Whether there is another result or error to write. */
  boolean isSettled() {
    return stored == null
        || !stored.result().equals(current().result())
        || !stored.lastError().equals(current().lastError());
  }

  /** Whether it was deleted just now. */
  boolean isHidden() {
    return stored != null && !stored.deletedAt().equals(current().deletedAt());
  }

  /** Whether the database may hold waits of the run. */
  boolean hadWaits() {
    return stored != null && stored.status() == Status.SUSPENDED;
  }

  /** Takes note that everything decided is written. */
  void written() {
    if (isNew()) {
      version = 1;
    } else if (isChanged()) {
      version += isHidden() ? 2 : 1;
    }
    stored = run;
    if (mail != null) {
      List<Mail> all = new ArrayList<>(emptied ? List.of() : mail);
      all.removeIf(letter -> consumed.contains(letter.id()));
      all.addAll(posted);
      mail = all;
    }
    page = null;
    posted.clear();
    consumed.clear();
    emptied = false;
    waitsChanged = false;
  }
}
