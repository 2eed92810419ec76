package dev.pawl.store.sql.sqlite;

import dev.pawl.store.sql.Prepared;
import dev.pawl.store.sql.Statements;
import dev.pawl.store.sql.UuidForm;
import dev.pawl.store.sql.batch.Line;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;

/** A connection with its prepared statements, which live as long as it does. Used by one thread. */
final class Session implements AutoCloseable {
  /** What the connection is for. */
  enum Role {
    WRITER(65_536, "PRAGMA wal_autocheckpoint = 16000"),
    BLOBS(4_096, "PRAGMA wal_autocheckpoint = 16000"),
    CHECKPOINTER(64, "PRAGMA wal_autocheckpoint = 0"),
    READER(16_384, "PRAGMA query_only = ON"),
    WATCHER(64, "PRAGMA query_only = ON");

    private final int cacheKibibytes;
    private final String setting;

    Role(int cacheKibibytes, String setting) {
      this.cacheKibibytes = cacheKibibytes;
      this.setting = setting;
    }
  }

  private static final Statements STATEMENTS =
      Statements.read(
          Session.class,
          "session.sql",
          "runs.sql",
          "events.sql",
          "claims.sql",
          "messages.sql",
          "reads.sql",
          "blobs.sql",
          "repair.sql");

  private static final String INSERT_EVENT = "insert-event";
  private static final String INSERT_EVENTS = "insert-events";

  /** Before these every entry has to be in its table: what ends something, and what looks there. */
  private static final Set<String> ENDS = Set.of("commit", "savepoint", "release");

  private static final Set<String> LOOKS = STATEMENTS.mentioning("pawl_event");

  private static final UuidForm BYTES =
      new UuidForm() {
        @Override
        public void bind(PreparedStatement statement, int index, UUID uuid) throws SQLException {
          statement.setBytes(index, bytes(uuid));
        }

        @Override
        public @Nullable UUID read(ResultSet results, int index) throws SQLException {
          byte @Nullable [] bytes = results.getBytes(index);
          if (bytes == null || bytes.length != 16) {
            return null;
          }
          ByteBuffer buffer = ByteBuffer.wrap(bytes);
          return new UUID(buffer.getLong(), buffer.getLong());
        }
      };

  private final Connection connection;
  private final Map<String, Prepared> prepared = new HashMap<>();
  private final Prepared.Tally tally = new Prepared.Tally();
  private final EventRows events =
      new EventRows(rows -> prepared(rows == 1 ? INSERT_EVENT : INSERT_EVENTS));

  private Session(Connection connection) {
    this.connection = connection;
  }

  static Session open(Path file, Role role, SqliteOptions options) throws SQLException {
    Session session = connect(file, options);
    try {
      session.execute("PRAGMA synchronous = " + options.synchronous());
      session.execute("PRAGMA mmap_size = 0");
      session.execute("PRAGMA temp_store = MEMORY");
      session.execute("PRAGMA cache_size = -" + role.cacheKibibytes);
      session.execute(role.setting);
      return session;
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  /** A connection without any of a store's settings, for a file that may not be a store yet. */
  static Session connect(Path file, SqliteOptions options) throws SQLException {
    String url = JDBC.PREFIX + file.toAbsolutePath();
    Properties settings = new Properties();
    // Otherwise the driver prepares and runs "select last_insert_rowid()" behind every insert.
    settings.setProperty(SQLiteConfig.Pragma.JDBC_GET_GENERATED_KEYS.pragmaName, "false");
    @Nullable Connection connection = JDBC.createConnection(url, settings);
    if (connection == null) {
      throw new SQLException("the driver does not accept " + url);
    }
    try {
      Session session = new Session(connection);
      session.execute("PRAGMA busy_timeout = " + Math.max(1, options.busy().toMillis()));
      return session;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  static byte[] bytes(UUID uuid) {
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /** The statement of this name, ready to be given its parameters. It sees all entries. */
  Prepared sql(String name) throws SQLException {
    if (!events.isEmpty() && (ENDS.contains(name) || LOOKS.contains(name))) {
      events.write();
    }
    return prepared(name);
  }

  private Prepared prepared(String name) throws SQLException {
    @Nullable Prepared known = prepared.get(name);
    if (known == null) {
      known = new Prepared(connection.prepareStatement(text(name)), BYTES, tally);
      prepared.put(name, known);
    }
    return known.afresh();
  }

  private static String text(String name) {
    if (!name.equals(INSERT_EVENTS)) {
      return STATEMENTS.text(name);
    }
    String one = STATEMENTS.text(INSERT_EVENT);
    String row = one.substring(one.lastIndexOf('('));
    return one + (", " + row).repeat(EventRows.MANY - 1);
  }

  /** Adds an entry to the log of a run. It is written before anything can see that it is not. */
  void append(long rid, Line line) {
    tally.count();
    events.add(rid, line);
  }

  /** Forgets entries that are not written yet. */
  void dropEvents() {
    events.drop();
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The one value of a query. */
  String ask(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      return results.next() ? String.valueOf(results.getString(1)) : "";
    }
  }

  Connection connection() {
    return connection;
  }

  /** A number that is another whenever something was written in between. */
  long writes() {
    return tally.writes();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
