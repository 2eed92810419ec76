package dev.pawl.store.memory;

import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;

/** Reaches into a memory store, past every rule. For tests that want a store to be wrong. */
public final class Tampering {
  private final Tables tables;

  public Tampering(MemoryStore store) {
    try {
      Field field = MemoryStore.class.getDeclaredField("tables");
      field.setAccessible(true);
      this.tables = (Tables) field.get(store);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the memory store keeps its tables elsewhere now", e);
    }
  }

  public Run row(RunId id) {
    return tables.runs.get(id);
  }

  public List<Run> rows() {
    return List.copyOf(tables.runs.values());
  }

  public void write(Run row) {
    tables.put(row);
  }

  public void forget(RunId id) {
    tables.remove(row(id));
  }

  public Map<String, RunId> keys() {
    return tables.keys;
  }

  /** The log itself, to be changed. */
  public List<Entry> log(RunId id) {
    return tables.log(id);
  }

  /** Puts another entry in the place of the last. */
  public void replaceLast(RunId id, Entry entry) {
    List<Entry> log = log(id);
    log.set(log.size() - 1, entry);
  }

  /** Appends an event behind all rules. */
  public void append(RunId id, Event event) {
    Entry last = log(id).getLast();
    tables.append(id, new Entry(last.seq() + 1, last.at(), last.epoch(), event));
  }

  /** Writes the row that the log adds up to. */
  public void refold(RunId id) {
    Run row = row(id);
    Run fold = Run.fold(id, log(id));
    write(fold.change().wakes(row.wakes()).lease(row.lease()).due(row.due()).run());
  }

  public List<Mail> mail(RunId id) {
    return tables.mail(id);
  }

  public void post(RunId id, Mail mail) {
    tables.post(id, mail);
  }

  public void removeMail(RunId id, Mail mail) {
    tables.mail(id).remove(mail);
  }

  public long nextMail() {
    return ++tables.lastMail;
  }
}
