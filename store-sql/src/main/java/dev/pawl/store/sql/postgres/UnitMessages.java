package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.log.Wait;
import dev.pawl.store.Command;
import dev.pawl.store.Mail;
import dev.pawl.store.sql.batch.Known;
import dev.pawl.store.sql.batch.Messages;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Mailboxes, waits and topics in a unit of work. */
final class UnitMessages implements Messages {
  private final Unit unit;

  UnitMessages(Unit unit) {
    this.unit = unit;
  }

  // ---- mailboxes ----

  /** The count of the messages a mailbox has accepted numbers them. */
  @Override
  public long nextId(Known to) throws SQLException {
    return unit.row((KnownRun) to).wakes() + 1;
  }

  @Override
  public void post(Known to, Mail mail) {
    KnownRun run = (KnownRun) to;
    run.posted.add(mail);
    if (mail instanceof Mail.Cancel) {
      run.cancelId = mail.id();
    } else if (mail instanceof Mail.Signal signal) {
      // A claim may write what has been decided so far: then this is how it is known.
      unit.letters.put(new Wanted.Letter(run.id, signal.message()), mail.id());
    }
    unit.writes++;
  }

  @Override
  public boolean knowsSignal(Known of, UUID message) throws SQLException {
    KnownRun run = (KnownRun) of;
    Wanted.Letter letter = new Wanted.Letter(of.id, message);
    if (!run.isNew() && !unit.letters.containsKey(letter) && unit.soughtLetters.add(letter)) {
      seek(run, letter);
    }
    return unit.letters.containsKey(letter);
  }

  /** What the database has is as old as the last write: what was taken out since is not there. */
  private void seek(KnownRun run, Wanted.Letter letter) throws SQLException {
    unit.session
        .first(
            "read-messages",
            to -> to.uuids(List.of(run.id.uuid())).uuids(List.of(letter.message())),
            cells -> {
              cells.uuid();
              cells.uuid();
              return cells.number();
            })
        .filter(id -> id == Wanted.RECEIVED || !(run.emptied || run.consumed.contains(id)))
        .ifPresent(id -> unit.letters.put(letter, id));
  }

  @Override
  public boolean hasCancel(Known of) {
    return ((KnownRun) of).cancelId != 0;
  }

  @Override
  public void consume(Known of, Collection<Long> ids) {
    if (ids.isEmpty()) {
      return;
    }
    KnownRun run = (KnownRun) of;
    run.posted.removeIf(mail -> ids.contains(mail.id()));
    run.consumed.addAll(ids);
    forget(run, ids::contains);
    if (ids.contains(run.cancelId)) {
      run.cancelId = 0;
    }
    unit.writes++;
  }

  @Override
  public void empty(Known of) {
    KnownRun run = (KnownRun) of;
    run.posted.clear();
    run.consumed.clear();
    run.emptied = true;
    run.cancelId = 0;
    forget(run, id -> true);
    unit.writes++;
  }

  /** These messages are not in the run's mailbox any more. */
  private void forget(KnownRun run, Predicate<Long> gone) {
    unit.letters
        .entrySet()
        .removeIf(letter ->
            letter.getKey().run().equals(run.id)
                && letter.getValue() != Wanted.RECEIVED
                && gone.test(letter.getValue()));
  }

  private List<Mail> mailbox(KnownRun run) throws SQLException {
    if (run.mail == null) {
      readMail(List.of(run));
    }
    List<Mail> all = new ArrayList<>(run.emptied || run.mail == null ? List.of() : run.mail);
    all.removeIf(mail -> run.consumed.contains(mail.id()));
    all.addAll(run.posted);
    return all;
  }

  /** Reads the mailboxes of runs, and what the suspended among them wait for, in one go. */
  void readMail(Collection<KnownRun> runs) throws SQLException {
    List<KnownRun> boxes = new ArrayList<>();
    Found found = new Found();
    Session.Round round = unit.session.round();
    for (KnownRun run : runs) {
      if (run.mail == null && run.current().wakes() > 0) {
        boxes.add(run);
      } else if (run.mail == null) {
        run.mail = List.of();
      }
    }
    if (!boxes.isEmpty()) {
      boxes.forEach(run -> run.mail = new ArrayList<>());
      round.query(
          "read-mail",
          to -> to.uuids(boxes, run -> run.id.uuid()),
          cells -> deliver(Letters.read(cells)));
    }
    List<KnownRun> waiting = runs.stream().filter(run -> run.waits == null).toList();
    if (!waiting.isEmpty()) {
      found.runs.addAll(waiting);
      found.addWaits(round, waiting.stream().map(run -> run.id.uuid()).toList());
    }
    round.run();
    found.giveWaits(unit.runs);
    readTopics(runs);
  }

  private boolean deliver(Letters.Addressed letter) {
    @Nullable KnownRun run = unit.runs.get(letter.run());
    return run != null && run.mail != null && run.mail.add(letter.mail());
  }

  private void readTopics(Collection<KnownRun> runs) throws SQLException {
    Set<WaitRow> sought = new HashSet<>();
    for (KnownRun run : runs) {
      for (WaitRow wait : run.waits == null ? Set.<WaitRow>of() : run.waits) {
        if (wait.isTopic()) {
          sought.add(wait);
        }
      }
    }
    if (!sought.isEmpty()) {
      Found found = new Found();
      Session.Round round = unit.session.round();
      found.addTopicEvents(round, sought, MAX_TOPIC_EVENTS);
      round.run();
      sought.forEach(
          wait -> unit.topicEvents.put(wait, found.topicEvents.getOrDefault(wait, List.of())));
    }
  }

  // ---- waits ----

  @Override
  public void await(Known run, List<Wait> waits) {
    KnownRun known = (KnownRun) run;
    known.waits = WaitRow.of(waits);
    known.waitsChanged = true;
    unit.writes++;
  }

  @Override
  public boolean awaits(Known run, Mail mail) throws SQLException {
    return waits((KnownRun) run).stream().anyMatch(wait -> wait.isAnsweredBy(mail));
  }

  private Set<WaitRow> waits(KnownRun run) throws SQLException {
    if (run.waits == null) {
      Found found = new Found();
      found.runs.add(run);
      Session.Round round = unit.session.round();
      found.addWaits(round, List.of(run.id.uuid()));
      round.run();
      found.giveWaits(unit.runs);
    }
    return run.waits == null ? Set.of() : run.waits;
  }

  @Override
  public void clearWaits(Known run) {
    KnownRun known = (KnownRun) run;
    known.waits = new LinkedHashSet<>();
    known.waitsChanged = true;
    unit.writes++;
  }

  // ---- topics ----

  @Override
  public long lastPosition() throws SQLException {
    if (unit.position == Unit.UNKNOWN) {
      unit.position = unit.session.first("last-position", none -> {}, Cells::number).orElseThrow();
    }
    return unit.position;
  }

  @Override
  public Optional<Mail.Topic> emitted(UUID message) throws SQLException {
    Mail.@Nullable Topic known = unit.emitted.get(message);
    if (known != null || unit.notEmitted.contains(message)) {
      return Optional.ofNullable(known);
    }
    return unit.session.first("emitted", to -> to.uuid(message), Letters::readTopic);
  }

  @Override
  public long emit(Command.Emit event, Instant now) throws SQLException {
    unit.position = lastPosition() + 1;
    Mail.Topic topic =
        new Mail.Topic(unit.position, now, event.message(), event.topic(), event.value());
    unit.emitting.add(topic);
    unit.emitted.put(event.message(), topic);
    unit.notEmitted.remove(event.message());
    unit.writes++;
    return unit.position;
  }

  @Override
  public Collection<RunId> awaiting(String topic) throws SQLException {
    List<RunId> stored =
        unit.session.all(
            "runs-awaiting-topic", to -> to.text(topic), cells -> new RunId(cells.uuid()));
    unit.load(stored);
    Set<RunId> waiting = new LinkedHashSet<>();
    for (KnownRun run : unit.runs.values()) {
      boolean waits =
          run.waits != null
              && run.waits.stream().anyMatch(wait -> wait.isTopic() && wait.name().equals(topic));
      if (waits) {
        waiting.add(run.id);
      }
    }
    for (RunId id : stored) {
      // One that was in hand before, and whose waits nobody has asked for.
      @Nullable KnownRun run = unit.runs.get(id);
      if (run != null && run.waits == null) {
        waiting.add(id);
      }
    }
    return waiting;
  }

  @Override
  public boolean hasTopicEvents(List<Wait> waits) throws SQLException {
    for (WaitRow wait : WaitRow.of(waits)) {
      if (wait.isTopic() && isSatisfied(wait)) {
        return true;
      }
    }
    return false;
  }

  private boolean isSatisfied(WaitRow wait) throws SQLException {
    @Nullable Boolean stored = unit.satisfied.get(wait);
    return stored == null ? !unseen(wait).isEmpty() : stored || !emittedHere(wait).isEmpty();
  }

  /** What this transaction has emitted for a wait. */
  private List<Mail.Topic> emittedHere(WaitRow wait) {
    return unit.emitting.stream()
        .filter(event -> event.topic().equals(wait.name()) && event.id() > wait.after())
        .toList();
  }

  /** The events that a wait has not seen, up to the limit. */
  private List<Mail.Topic> unseen(WaitRow wait) throws SQLException {
    if (!unit.topicEvents.containsKey(wait)) {
      Found found = new Found();
      Session.Round round = unit.session.round();
      found.addTopicEvents(round, List.of(wait), MAX_TOPIC_EVENTS);
      round.run();
      unit.topicEvents.put(wait, found.topicEvents.getOrDefault(wait, List.of()));
    }
    List<Mail.Topic> events = new ArrayList<>(unit.topicEvents.getOrDefault(wait, List.of()));
    events.addAll(emittedHere(wait));
    return events.subList(0, Math.min(events.size(), MAX_TOPIC_EVENTS));
  }

  @Override
  public int purgeTopics(Instant emittedBefore) throws SQLException {
    Flush.write(unit);
    unit.writes++;
    unit.topicEvents.clear();
    unit.satisfied.clear();
    unit.emitted.clear();
    unit.notEmitted.clear();
    return (int) unit.session.write("purge-topics", to -> to.moment(emittedBefore));
  }

  @Override
  public List<Mail> forClaim(Known known, boolean anyMail, boolean anyWaits) throws SQLException {
    KnownRun run = (KnownRun) known;
    List<Mail> mail = new ArrayList<>(anyMail ? mailbox(run) : List.of());
    if (anyWaits) {
      TreeMap<Long, Mail.Topic> events = new TreeMap<>();
      for (WaitRow wait : waits(run)) {
        if (wait.isTopic()) {
          unseen(wait).forEach(event -> events.put(event.id(), event));
        }
      }
      mail.addAll(events.values());
    }
    return mail;
  }
}
