package dev.pawl.examples;

import dev.pawl.Pawl;
import dev.pawl.work.Task;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/** Records work in the transaction that makes it necessary. For a store in Postgres. */
@NullUnmarked
public final class Outbox {
  record Order(String id, int quantity) {}

  static final Task<Order, String> SHIP =
      Task.of("shop.ship.v1", Order.class, String.class, order -> "shipped " + order.id());

  private Outbox() {}

  // snippet:accept
  /** The order and the run that ships it are there together, or neither is. */
  static void accept(Pawl pawl, Connection database, Order order) throws SQLException {
    database.setAutoCommit(false);
    String sql = "INSERT INTO orders (id, quantity) VALUES (?, ?)";
    try (PreparedStatement insert = database.prepareStatement(sql)) {
      insert.setString(1, order.id());
      insert.setInt(2, order.quantity());
      insert.executeUpdate();
    }
    pawl.start(database, SHIP, order, o -> o.key(order.id()));
    database.commit();
  }
  // end
}
