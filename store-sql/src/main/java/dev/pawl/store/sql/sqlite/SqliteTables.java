package dev.pawl.store.sql.sqlite;

import dev.pawl.store.Definition;
import dev.pawl.store.TypeState;
import dev.pawl.store.sql.FreeText;
import dev.pawl.store.sql.batch.Messages;
import dev.pawl.store.sql.batch.Queue;
import dev.pawl.store.sql.batch.Runs;
import dev.pawl.store.sql.batch.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** The file within one transaction. Every write is a statement, at once. */
final class SqliteTables implements Tables {
  private final Session session;
  private final Cache cache;
  private final SqliteRuns runs;
  private final Messages messages;
  private final Queue queue;
  private final Instant now;

  SqliteTables(Session session, Cache cache, Instant now) {
    this.session = session;
    this.cache = cache;
    this.now = now;
    this.runs = new SqliteRuns(session, cache);
    this.messages = new SqliteMessages(session, cache);
    this.queue = new ClaimScan(session, cache, runs, now);
  }

  @Override
  public Runs runs() {
    return runs;
  }

  @Override
  public Messages messages() {
    return messages;
  }

  @Override
  public Queue queue() {
    return queue;
  }

  @Override
  public void put(TypeState type) throws SQLException {
    session
        .sql("put-type")
        .with(type.type())
        .with(type.enabled())
        .with(type.runtime())
        .with(FreeText.quote(type.description()))
        .write();
    cache.remember(type);
  }

  @Override
  public boolean deploy(Definition definition) throws SQLException {
    boolean fresh =
        session
                .sql("insert-definition")
                .with(definition.hash())
                .with(definition.type())
                .with(definition.kind())
                .with(FreeText.quote(definition.source()))
                .with(now)
                .write()
            > 0;
    session.sql("deploy-definition").with(definition.hash()).write();
    return fresh;
  }

  @Override
  public long writes() {
    return session.writes();
  }

  @Override
  public Connection connection() {
    return session.connection();
  }

  @Override
  public void savepoint() throws SQLException {
    session.sql("savepoint").perform();
  }

  @Override
  public void release() throws SQLException {
    session.sql("release").perform();
  }

  @Override
  public void undo() throws SQLException {
    session.dropEvents();
    session.sql("undo").perform();
    session.sql("release").perform();
  }
}
