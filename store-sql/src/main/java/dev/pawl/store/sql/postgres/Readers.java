package dev.pawl.store.sql.postgres;

import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import dev.pawl.store.Count;
import dev.pawl.store.Definition;
import dev.pawl.store.Mail;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.FreeText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Those who only read. Each read is one statement, and sees one moment of the store. */
final class Readers {
  /** The statuses of which there is an index. */
  private static final Set<Status> TROUBLE = EnumSet.of(Status.FAILED, Status.CANCELLED);

  private static final int MAX_LOST = 3;

  /** What to do with a connection. */
  private interface Reading<T> {
    T read(Session session) throws SQLException;
  }

  private final Database database;
  private volatile @Nullable Instant since;

  Readers(Database database) {
    this.database = database;
  }

  Optional<Run> run(RunId id) {
    return read(session ->
        session.first(
            "run-by-id", to -> to.uuid(id.uuid()), cells -> RunColumns.read(cells).run()));
  }

  Optional<Run> runByKey(String key) {
    return read(session ->
        session.first("run-by-key", to -> to.text(key), cells -> RunColumns.read(cells).run()));
  }

  List<Entry> log(RunId id, long after, int limit) {
    return read(session ->
        session.all(
            "log",
            to ->
                to.uuid(id.uuid())
                    .number(after)
                    .number(limit)
                    .uuid(id.uuid())
                    .number(after)
                    .number(limit),
            Letters::readEntry));
  }

  Map<RunId, List<Entry>> logs(Collection<RunId> ids, int last) {
    return read(session -> {
      Map<RunId, List<Entry>> logs = new HashMap<>();
      ids.forEach(id -> logs.put(id, new ArrayList<>()));
      List<UUID> uuids = Found.uuids(ids);
      session.all(
          "logs",
          to -> to.uuids(uuids).number(last).uuids(uuids).number(last),
          cells -> {
            @Nullable List<Entry> log = logs.get(new RunId(cells.uuid()));
            return log != null && log.add(Letters.readEntry(cells));
          });
      return logs;
    });
  }

  List<Mail> mail(RunId id) {
    return read(session ->
        session.all("mailbox-of", to -> to.uuid(id.uuid()), cells -> Letters.read(cells).mail()));
  }

  Optional<Mail.Topic> emitted(UUID message) {
    return read(session -> session.first("emitted", to -> to.uuid(message), Letters::readTopic));
  }

  List<Count> counts() {
    List<Count> counts =
        read(session ->
            session.all(
                "counts",
                none -> {},
                cells -> new Count(cells.text(), RunColumns.status(cells.text()), cells.number())));
    counts.sort(Comparator.comparing(Count::type).thenComparing(Count::status));
    return counts;
  }

  List<TypeState> types() {
    List<TypeState> types = read(session -> session.all("types", none -> {}, Registry::read));
    types.sort(Comparator.comparing(TypeState::type));
    return types;
  }

  Optional<Definition> definition(String hash) {
    return read(session -> session.first("definition", to -> to.text(hash), Readers::definition));
  }

  Optional<Definition> newestDefinition(String type) {
    return read(
        session -> session.first("newest-definition", to -> to.text(type), Readers::definition));
  }

  List<Definition> definitions(String type) {
    return read(session -> session.all("definitions", to -> to.text(type), Readers::definition));
  }

  List<String> definedTypes() {
    return read(session -> session.all("defined-types", none -> {}, Cells::text));
  }

  private static Definition definition(Cells cells) throws SQLException {
    return new Definition(cells.text(), cells.text(), cells.text(), FreeText.unquote(cells.text()));
  }

  Instant now() {
    return read(session -> session.first("now", none -> {}, Cells::instant).orElseThrow());
  }

  /** Since when the database is a store: that tells it from others. */
  Instant since() {
    @Nullable Instant known = since;
    if (known == null) {
      known =
          read(session -> session.first("store-since", none -> {}, Cells::instant).orElseThrow());
      since = known;
    }
    return known;
  }

  /** A setting of the server. */
  String setting(String name) {
    return read(session -> Schema.ask(session.connection(), "SHOW " + name));
  }

  List<Run> list(Query query) {
    query.type().ifPresent(Routes::of);
    if (query.parent().isPresent()) {
      UUID parent = query.parent().get().uuid();
      return runs("list-children", to -> filter(to, query).uuid(parent).number(query.limit()));
    }
    if (!query.statuses().isEmpty() && TROUBLE.containsAll(query.statuses())) {
      return query.statuses().stream()
          .flatMap(status -> trouble(query, status))
          .sorted(Comparator.comparing(Run::id).reversed())
          .limit(query.limit())
          .toList();
    }
    return runs("list", to -> filter(to, query).number(query.limit()));
  }

  private Stream<Run> trouble(Query query, Status status) {
    return runs("list-trouble", to -> filter(to, query).text(status.word()).number(query.limit()))
        .stream();
  }

  private List<Run> runs(String statement, Parameters.Binding binding) {
    return read(session -> session.all(statement, binding, cells -> RunColumns.read(cells).run()));
  }

  /** Binds {@code list-filter}, where each parameter stands twice. */
  private static Parameters filter(Parameters to, Query query) throws SQLException {
    @Nullable UUID after = query.after().map(RunId::uuid).orElse(null);
    List<String> statuses = new ArrayList<>();
    query.statuses().forEach(status -> statuses.add(RunColumns.word(status)));
    @Nullable String type = query.type().filter(name -> !Routes.isPrefix(name)).orElse(null);
    @Nullable String prefix =
        query.type().filter(Routes::isPrefix).map(Routes::prefix).orElse(null);
    @Nullable String worker = query.worker().orElse(null);
    return to.uuid(after)
        .uuid(after)
        .flag(statuses.isEmpty())
        .texts(statuses)
        .text(type)
        .text(type)
        .text(prefix)
        .text(prefix)
        .text(worker)
        .text(worker);
  }

  private <T> T read(Reading<T> reading) {
    for (int tries = 1; ; tries++) {
      try (Connection connection = database.reader()) {
        return reading.read(new Session(connection));
      } catch (SQLException e) {
        if (!Diagnosis.isLost(e) || tries == MAX_LOST) {
          throw Diagnosis.of(e, database.where());
        }
      }
    }
  }
}
