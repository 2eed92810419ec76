package dev.pawl.store.sql.sqlite;

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
import dev.pawl.store.sql.MailRow;
import dev.pawl.store.sql.Prepared;
import dev.pawl.store.sql.Row;
import dev.pawl.store.sql.RunRow;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those who only read: two threads, each with a connection that cannot write. Each read sees one
 * moment of the store.
 */
final class Readers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);
  private static final int COUNT = 2;

  /** The statuses of which there is an index. */
  private static final Set<Status> TROUBLE = EnumSet.of(Status.FAILED, Status.CANCELLED);

  /** Greater than every id. */
  private static final byte[] BEHIND_ALL = new byte[17];

  static {
    Arrays.fill(BEHIND_ALL, (byte) 0xff);
  }

  /** What to do with a connection. */
  private interface Reading<T> {
    T read(Session session) throws SQLException;
  }

  private final Path file;
  private final SqliteOptions options;
  private final Threads threads;
  private final Queue<Session> idle = new ConcurrentLinkedQueue<>();

  Readers(Path file, SqliteOptions options) {
    this.file = file;
    this.options = options;
    this.threads = new Threads("pawl-sqlite-reader", COUNT, () -> Writer.closed(file));
  }

  Optional<Run> run(RunId id) {
    return read(session -> session.sql("run-by-id").with(id.uuid()).first(RunRow::read));
  }

  Optional<Run> runByKey(String key) {
    return read(session -> session.sql("run-by-key").with(key).first(RunRow::read));
  }

  List<Entry> log(RunId id, long after, int limit) {
    return read(session ->
        session.sql("log").with(id.uuid()).with(after).with(limit).all(MailRow::readEntry));
  }

  Map<RunId, List<Entry>> logs(Collection<RunId> ids, int last) {
    return read(session -> {
      Map<RunId, List<Entry>> logs = new HashMap<>();
      for (RunId id : ids) {
        Prepared log = session.sql("log").with(id.uuid()).with(0L).with(last);
        logs.put(id, log.all(MailRow::readEntry));
      }
      return logs;
    });
  }

  List<Mail> mail(RunId id) {
    return read(session -> session.sql("mailbox-of").with(id.uuid()).all(MailRow::read));
  }

  Optional<Mail.Topic> emitted(UUID message) {
    return read(session -> session.sql("emitted").with(message).first(MailRow::readTopic));
  }

  List<Count> counts() {
    List<Count> counts =
        read(session ->
            session
                .sql("counts")
                .all(row -> new Count(row.text(), Status.parse(row.text()), row.number())));
    counts.sort(Comparator.comparing(Count::type).thenComparing(Count::status));
    return counts;
  }

  List<TypeState> types() {
    List<TypeState> types = read(session -> session.sql("types").all(Readers::type));
    types.sort(Comparator.comparing(TypeState::type));
    return types;
  }

  Optional<Definition> definition(String hash) {
    return read(session -> session.sql("definition").with(hash).first(Readers::definition));
  }

  Optional<Definition> newestDefinition(String type) {
    return read(session -> session.sql("newest-definition").with(type).first(Readers::definition));
  }

  List<Definition> definitions(String type) {
    return read(session -> session.sql("definitions").with(type).all(Readers::definition));
  }

  List<String> definedTypes() {
    return read(session -> session.sql("defined-types").all(Row::text));
  }

  private static Definition definition(Row row) throws SQLException {
    return new Definition(row.text(), row.text(), row.text(), FreeText.unquote(row.text()));
  }

  static TypeState type(Row row) throws SQLException {
    return new TypeState(row.text(), row.flag(), row.text(), FreeText.unquote(row.text()));
  }

  List<Run> list(Query query) {
    query.type().ifPresent(Routes::of);
    if (query.parent().isPresent()) {
      UUID parent = query.parent().get().uuid();
      return read(
          session -> filter(session.sql("list-children"), query).with(parent).all(RunRow::read));
    }
    if (!query.statuses().isEmpty() && TROUBLE.containsAll(query.statuses())) {
      return query.statuses().stream()
          .flatMap(status -> trouble(query, status))
          .sorted(Comparator.comparing(Run::id).reversed())
          .limit(query.limit())
          .toList();
    }
    return read(session -> filter(session.sql("list"), query).all(RunRow::read));
  }

  private Stream<Run> trouble(Query query, Status status) {
    return read(
        session -> filter(session.sql("list-trouble"), query).with(status.word()).all(RunRow::read))
        .stream();
  }

  private static Prepared filter(Prepared list, Query query) throws SQLException {
    if (query.after().isPresent()) {
      list.with(query.after().get().uuid());
    } else {
      list.with(BEHIND_ALL);
    }
    String statuses =
        query.statuses().stream().map(Status::word).collect(Collectors.joining(",", ",", ","));
    return list.with(query.limit())
        .withText(query.statuses().isEmpty() ? Optional.empty() : Optional.of(statuses))
        .withText(query.type().filter(type -> !Routes.isPrefix(type)))
        .withText(query.type().filter(Routes::isPrefix).map(Routes::prefix))
        .withText(query.worker());
  }

  private <T> T read(Reading<T> reading) {
    return threads.call(() -> {
      @Nullable Session session = null;
      try {
        session = idle.poll();
        if (session == null) {
          session = Session.open(file, Session.Role.READER, options);
        }
        T result = reading.read(session);
        idle.add(session);
        return result;
      } catch (SQLException e) {
        close(session);
        throw Diagnosis.of(e, file);
      } catch (RuntimeException e) {
        close(session);
        throw e;
      }
    });
  }

  @Override
  public void close() {
    threads.close(() -> {
      idle.forEach(Readers::close);
      idle.clear();
    });
  }

  private static void close(@Nullable Session session) {
    try {
      if (session != null) {
        session.close();
      }
    } catch (SQLException e) {
      LOG.debug("a reading connection did not close cleanly", e);
    }
  }
}
