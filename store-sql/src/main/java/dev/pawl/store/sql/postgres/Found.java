package dev.pawl.store.sql.postgres;

import dev.pawl.log.RunId;
import dev.pawl.store.Mail;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a round of reading has found. */
final class Found {
  final List<KnownRun> runs = new ArrayList<>();
  final List<KnownRun> keyHolders = new ArrayList<>();
  final Map<Wanted.Letter, Long> letters = new HashMap<>();
  final List<Mail.Topic> emitted = new ArrayList<>();
  final Map<WaitRow, List<Mail.Topic>> topicEvents = new HashMap<>();
  private final Map<RunId, Set<WaitRow>> waits = new HashMap<>();

  /** Adds the statements that read what is wanted; the locks come first. */
  void add(Session.Round round, Wanted wanted) {
    Set<RunId> toLock = wanted.toLock();
    if (!toLock.isEmpty()) {
      round.query("lock-runs", to -> to.uuids(uuids(toLock)), cells -> 0);
    }
    Set<RunId> toRead = wanted.toRead();
    if (!toRead.isEmpty()) {
      List<UUID> ids = uuids(toRead);
      round.query("read-runs", to -> to.uuids(ids), cells -> runs.add(run(cells)));
      addWaits(round, ids);
    }
    if (!wanted.keys.isEmpty()) {
      round.query("read-keys", to -> to.texts(wanted.keys), cells -> keyHolders.add(run(cells)));
    }
    if (!wanted.letters.isEmpty()) {
      List<Wanted.Letter> sought = List.copyOf(wanted.letters);
      round.query(
          "read-messages",
          to ->
              to.uuids(sought, letter -> letter.run().uuid()).uuids(sought, Wanted.Letter::message),
          cells ->
              letters.merge(
                  new Wanted.Letter(new RunId(cells.uuid()), cells.uuid()),
                  cells.number(),
                  Math::min));
    }
    if (!wanted.emitted.isEmpty()) {
      round.query(
          "read-emitted",
          to -> to.uuids(wanted.emitted),
          cells -> emitted.add(Letters.readTopic(cells)));
    }
    addTopicEvents(round, wanted.topicWaits, 1);
  }

  void addWaits(Session.Round round, List<UUID> ids) {
    round.query("read-waits", to -> to.uuids(ids), this::take);
  }

  /** ... for the candidates of a claim in the same round. */
  void addCandidatesWaits(Session.Round round) {
    round.query("read-candidates-waits", none -> {}, this::take);
  }

  private boolean take(Cells cells) throws SQLException {
    return waits
        .computeIfAbsent(new RunId(cells.uuid()), id -> new LinkedHashSet<>())
        .add(new WaitRow(cells.text(), cells.text(), cells.number()));
  }

  void addTopicEvents(Session.Round round, Collection<WaitRow> topicWaits, int max) {
    if (!topicWaits.isEmpty()) {
      List<WaitRow> sought = List.copyOf(topicWaits);
      round.query(
          "read-topic-events",
          to -> to.texts(sought, WaitRow::name).numbers(sought, WaitRow::after).number(max),
          cells ->
              topicEvents
                  .computeIfAbsent(
                      new WaitRow(WaitRow.TOPIC, cells.text(), cells.number()),
                      wait -> new ArrayList<>())
                  .add(Letters.readTopic(cells)));
    }
  }

  /** Tells each suspended run that has not been told what it waits for. */
  void giveWaits(Map<RunId, KnownRun> known) {
    for (KnownRun run : runs) {
      @Nullable KnownRun target = known.get(run.id);
      if (target != null && target.waits == null) {
        target.waits = waits.getOrDefault(run.id, new LinkedHashSet<>());
      }
    }
  }

  /** Reads {@code held-columns}. */
  static KnownRun run(Cells cells) throws SQLException {
    RunColumns.Versioned row = RunColumns.read(cells);
    return KnownRun.stored(row.run(), row.version(), cells.number(), cells.number());
  }

  static List<UUID> uuids(Collection<RunId> ids) {
    return ids.stream().map(RunId::uuid).toList();
  }
}
