package dev.pawl.store.sql.postgres;

import dev.pawl.store.Mail;
import dev.pawl.store.sql.MailRow;
import dev.pawl.store.sql.postgres.Rows.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Writes what a unit of work has gathered: one statement to a table and kind of change, all of them
 * in one round. Rows come in the order of ids, so that two transactions cannot wait for each other
 * in a circle.
 */
final class Flush {
  private static final Comparator<KnownRun> BY_ID = (one, other) -> one.id.compareTo(other.id);
  private static final Comparator<Unit.Appended> BY_PLACE = Flush::compare;

  private record Post(KnownRun run, Mail mail) {}

  private record Consumed(KnownRun run, long id) {}

  private record Waiting(KnownRun run, WaitRow row) {}

  private final Unit unit;
  private final Session.Round round;

  /** Those of which there is something to write besides their logs, in the order of ids. */
  private final List<KnownRun> runs = new ArrayList<>();

  private Flush(Unit unit) {
    this.unit = unit;
    this.round = unit.toWrite();
    for (KnownRun run : unit.runs.values()) {
      if (run.isTouched()) {
        runs.add(run);
      }
    }
    runs.sort(BY_ID);
  }

  /**
   * Writes all of it.
   *
   * @throws SQLException if something had changed meanwhile: then the transaction must be undone
   */
  static void write(Unit unit) throws SQLException {
    Flush flush = new Flush(unit);
    flush.gather();
    flush.run();
  }

  /**
   * Writes all of it and commits, in one round.
   *
   * @param word what to tell others behind the commit
   * @throws SQLException as above; if the connection was lost, it is not known what came of it
   */
  static void commit(Unit unit, Optional<String> word) throws SQLException {
    Flush flush = new Flush(unit);
    flush.gather();
    if (unit.isPresumed()) {
      flush.round.begin();
    }
    flush.round.write("commit", none -> {}, rows -> {});
    word.ifPresent(text -> flush.round.query("notify", to -> to.text(text), cells -> text));
    flush.run();
  }

  private void gather() {
    topics();
    inserts();
    updates();
    waits();
    mail();
    events();
  }

  private void run() throws SQLException {
    unit.session.blind(false);
    round.run();
    unit.runs.values().forEach(KnownRun::written);
    unit.appended.clear();
    if (!unit.emitting.isEmpty()) {
      unit.topicEvents.clear();
      unit.satisfied.clear();
      unit.emitting.clear();
    }
  }

  private void topics() {
    if (!unit.emitting.isEmpty()) {
      List<Mail.Topic> events = List.copyOf(unit.emitting);
      long position = unit.position;
      round.write("put-position", to -> to.number(position), rows -> {});
      round.write(
          "insert-topics",
          to ->
              to.numbers(events, Mail.Topic::id)
                  .texts(events, Mail.Topic::topic)
                  .uuids(events, Mail.Topic::message)
                  .texts(events, event -> event.value().text())
                  .moments(events, Mail.Topic::at),
          rows -> {});
    }
  }

  private static int compare(Unit.Appended one, Unit.Appended other) {
    // Written out: it is called for every entry of every batch several times.
    int byRun = BY_ID.compare(one.run(), other.run());
    return byRun != 0 ? byRun : Long.compare(one.line().entry().seq(), other.line().entry().seq());
  }

  private void inserts() {
    List<KnownRun> fresh = those(KnownRun::isNew);
    if (!fresh.isEmpty()) {
      Rows.Sql insert = RunColumns.insert(fresh);
      round.write(unit.condition().map(insert::where).orElse(insert), rows -> {});
    }
  }

  private void updates() {
    List<KnownRun> changed = those(KnownRun::isChanged);
    if (isLone()) {
      Session.Counting counting = unit.appended.isEmpty() ? Flush::checkThere : rows -> {};
      round.write(RunColumns.updateOne(changed.get(0)), counting);
    } else if (changed.size() == 1 && changed.get(0).locked) {
      round.write(RunColumns.updateOne(changed.get(0)), rows -> {});
    } else if (!changed.isEmpty()) {
      round.write(RunColumns.update(changed), rows -> {});
    }
    List<KnownRun> hidden = those(KnownRun::isHidden);
    if (!hidden.isEmpty()) {
      round.write(
          "hide-runs",
          to ->
              to.uuids(hidden, run -> run.id.uuid())
                  .moments(hidden, run -> run.current().deletedAt().orElse(null)),
          rows -> {});
    }
  }

  private List<KnownRun> those(Predicate<KnownRun> wanted) {
    List<KnownRun> found = new ArrayList<>();
    for (KnownRun run : runs) {
      if (wanted.test(run)) {
        found.add(run);
      }
    }
    return found;
  }

  private void waits() {
    List<KnownRun> changed = those(run -> run.waitsChanged);
    List<KnownRun> cleared = those(run -> run.waitsChanged && run.hadWaits());
    if (!cleared.isEmpty()) {
      round.write("clear-waits", to -> to.uuids(cleared, run -> run.id.uuid()), rows -> {});
    }
    List<Waiting> waits = new ArrayList<>();
    for (KnownRun run : changed) {
      if (run.waits != null) {
        run.waits.forEach(wait -> waits.add(new Waiting(run, wait)));
      }
    }
    if (!waits.isEmpty()) {
      round.write(
          "insert-waits",
          to ->
              to.uuids(waits, waiting -> waiting.run().id.uuid())
                  .texts(waits, waiting -> waiting.row().kind())
                  .texts(waits, waiting -> waiting.row().name())
                  .numbers(waits, waiting -> waiting.row().after()),
          rows -> {});
    }
  }

  private void mail() {
    List<Consumed> consumed = new ArrayList<>();
    List<Post> posted = new ArrayList<>();
    for (KnownRun run : runs) {
      if (!run.consumed.isEmpty()) {
        run.consumed.stream().sorted().forEach(id -> consumed.add(new Consumed(run, id)));
      }
      run.posted.forEach(mail -> posted.add(new Post(run, mail)));
    }
    if (!consumed.isEmpty()) {
      round.write(
          "consume-mail",
          to -> to.uuids(consumed, one -> one.run().id.uuid()).numbers(consumed, Consumed::id),
          rows -> {});
    }
    List<KnownRun> emptied = those(run -> run.emptied && run.stored != null);
    if (!emptied.isEmpty()) {
      round.write("empty-mailboxes", to -> to.uuids(emptied, run -> run.id.uuid()), rows -> {});
    }
    if (!posted.isEmpty()) {
      round.write(
          "insert-mail",
          to ->
              to.uuids(posted, post -> post.run().id.uuid())
                  .numbers(posted, post -> post.mail().id())
                  .texts(posted, post -> MailRow.kind(post.mail()))
                  .texts(posted, post -> MailRow.name(post.mail()))
                  .uuids(posted, post -> Letters.message(post.mail()))
                  .texts(posted, post -> MailRow.data(post.mail()))
                  .moments(posted, post -> post.mail().at()),
          rows -> {});
    }
  }

  private void events() {
    List<Unit.Appended> entries = sorted(unit.appended);
    if (entries.isEmpty()) {
      return;
    }
    if (isProbing(entries)) {
      round.query(probing(entries), cells -> 0);
    } else if (isLone()) {
      Rows.Sql behind = new Rows.Sql(Session.STATEMENTS.text("if-written"), none -> {});
      round.write(plain(entries).where(behind), rows -> {});
    } else {
      round.write(plain(entries), rows -> {});
    }
  }

  /**
   * Whether one row is all that changes besides logs: then whether it was there shows by whether
   * anything was written before the entries are. If there are none but those the row keeps, and
   * nothing was written in this transaction before, it shows by how many rows were.
   */
  private boolean isLone() {
    return runs.size() == 1
        && runs.get(0).isAllThatChanges()
        && unit.emitting.isEmpty()
        && (unit.appended.isEmpty() ? unit.isPresumed() : !isProbing(unit.appended));
  }

  /** Nothing was written if not, so that nothing has to be undone. */
  private static void checkThere(long rows) throws SQLException {
    if (rows == 0) {
      throw Diagnosis.presumedWrongly("the row to be changed is gone");
    }
  }

  private static boolean isProbing(List<Unit.Appended> entries) {
    for (Unit.Appended entry : entries) {
      if (entry.probe()) {
        return true;
      }
    }
    return false;
  }

  private static List<Unit.Appended> sorted(List<Unit.Appended> entries) {
    List<Unit.Appended> sorted = new ArrayList<>(entries);
    sorted.sort(BY_PLACE);
    return sorted;
  }

  /** The entries of runs that are known: their places are free, or the statement fails. */
  private Rows.Sql plain(List<Unit.Appended> entries) {
    return new Rows<>("workflow.workflow_log", entries)
        .each("workflow_id", Kind.UUID, entry -> entry.run().id.uuid())
        .column("seq", Kind.NUMBER, entry -> entry.line().entry().seq())
        .column("epoch", Kind.NUMBER, entry -> entry.line().entry().epoch())
        .column("event_type", Kind.TEXT, entry -> entry.line().kind())
        .each("data", Kind.JSON, entry -> entry.line().data())
        .column("created_at", Kind.MOMENT, entry -> unit.now)
        .insert();
  }

  /** ... and of those of which only the writer says that it holds them. */
  private Rows.Sql probing(List<Unit.Appended> entries) {
    return new Rows.Sql(
        Session.STATEMENTS.text("insert-events"),
        to ->
            to.moment(unit.now)
                .uuids(entries, entry -> entry.run().id.uuid())
                .numbers(entries, entry -> entry.line().entry().seq())
                .numbers(entries, entry -> entry.line().entry().epoch())
                .texts(entries, entry -> entry.line().kind())
                .texts(entries, entry -> entry.line().data())
                .flags(entries, Unit.Appended::probe)
                .number(entries.size()));
  }
}
