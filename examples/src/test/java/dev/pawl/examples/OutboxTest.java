package dev.pawl.examples;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.examples.Outbox.Order;
import dev.pawl.json.JsonType;
import dev.pawl.log.RunId;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class OutboxTest {
  private final String store = PostgresServer.shared().database();

  @BeforeEach
  void makeTheProgramsOwnTable() {
    PostgresServer.execute(
        store, "CREATE TABLE orders (id text, quantity int CHECK (quantity > 0))");
  }

  @Test
  void anAcceptedOrderIsShipped() throws SQLException {
    try (Pawl pawl = Pawl.open(store);
        Connection database = PostgresServer.connect(store)) {
      pawl.register(Outbox.SHIP).work();

      Outbox.accept(pawl, database, new Order("order-17", 2));

      RunId run = pawl.findByKey("order-17").orElseThrow().id();
      assertThat(pawl.handle(run, JsonType.of(String.class)).result(ofSeconds(30)))
          .isEqualTo("shipped order-17");
    }
  }

  @Test
  void anOrderThatIsNotAcceptedLeavesNothing() throws SQLException {
    try (Pawl pawl = Pawl.open(store);
        Connection database = PostgresServer.connect(store)) {
      assertThatThrownBy(() -> Outbox.accept(pawl, database, new Order("order-18", -1)))
          .isInstanceOf(SQLException.class);
      database.rollback();

      assertThat(pawl.findByKey("order-18")).isEmpty();
    }
  }
}
