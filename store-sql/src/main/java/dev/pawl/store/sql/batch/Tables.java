package dev.pawl.store.sql.batch;

import dev.pawl.store.Definition;
import dev.pawl.store.TypeState;
import java.sql.Connection;
import java.sql.SQLException;

/** A store within one transaction: what the commands read and write. */
public interface Tables {
  Runs runs();

  Messages messages();

  Queue queue();

  void put(TypeState type) throws SQLException;

  /**
   * Keeps a definition and makes it the newest of its type; returns whether it was not there
   * before.
   */
  boolean deploy(Definition definition) throws SQLException;

  /** How many writes there were; a command that has made none may still fail alone. */
  long writes();

  /** What the body of a transactional step works on. */
  Connection connection();

  /** Begins what {@link #release} keeps and {@link #undo} takes back, and nothing else with it. */
  void savepoint() throws SQLException;

  void release() throws SQLException;

  /** Also possible after {@link #release} has failed. */
  void undo() throws SQLException;
}
