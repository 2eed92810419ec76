package dev.pawl.examples;

import dev.pawl.flow.Flow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.NullUnmarked;

/** Writes to the program's own table in the same file, exactly once. */
@NullUnmarked
public final class Ledger {
  record Transfer(String from, String to, long cents) {}

  private Ledger() {}

  // snippet:flow
  static final Flow<Transfer, Integer> TRANSFER =
      Flow.define(
          "ledger.transfer.v1",
          Transfer.class,
          Integer.class,
          (ctx, transfer) ->
              ctx.transaction(
                  "post", Connection.class, Integer.class, database -> post(database, transfer)));

  // end

  // snippet:post
  /** Both rows and the step's result are committed together, or none of them is. */
  static int post(Connection database, Transfer transfer) throws SQLException {
    try (Statement schema = database.createStatement()) {
      schema.execute("CREATE TABLE IF NOT EXISTS ledger (account TEXT, cents INTEGER)");
    }
    String sql = "INSERT INTO ledger (account, cents) VALUES (?, ?), (?, ?)";
    try (PreparedStatement insert = database.prepareStatement(sql)) {
      insert.setString(1, transfer.from());
      insert.setLong(2, -transfer.cents());
      insert.setString(3, transfer.to());
      insert.setLong(4, transfer.cents());
      return insert.executeUpdate();
    }
  }
  // end
}
