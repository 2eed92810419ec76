package dev.pawl.examples;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Pawl;
import dev.pawl.examples.Ledger.Transfer;
import dev.pawl.flow.Flow;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LedgerTest {
  private static final Transfer RENT = new Transfer("ada", "grace", 70_000);

  @TempDir private Path directory;
  private String store = "";

  @BeforeEach
  void nameTheStore() {
    store = "sqlite:" + directory.resolve("ledger.db");
  }

  @Test
  void aTransferIsPostedOnce() throws SQLException {
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(Ledger.TRANSFER).work();
      assertThat(pawl.start(Ledger.TRANSFER, RENT).result(ofSeconds(10))).isEqualTo(2);
    }
    assertThat(rows()).containsExactly("ada -70000", "grace 70000");
  }

  @Test
  void whatABodyWroteBeforeItFailedIsGone() throws SQLException {
    AtomicInteger attempts = new AtomicInteger();
    Flow<Transfer, Integer> clumsy =
        Flow.define(
            "ledger.clumsy.v1",
            Transfer.class,
            Integer.class,
            (ctx, transfer) ->
                ctx.transaction(
                    "post",
                    Connection.class,
                    Integer.class,
                    database -> {
                      int rows = Ledger.post(database, transfer);
                      if (attempts.incrementAndGet() == 1) {
                        throw new IllegalStateException("the light went out");
                      }
                      return rows;
                    }));
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(clumsy).work();
      assertThat(pawl.start(clumsy, RENT).result(ofSeconds(20))).isEqualTo(2);
    }
    assertThat(attempts).hasValue(2);
    assertThat(rows()).containsExactly("ada -70000", "grace 70000");
  }

  private List<String> rows() throws SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:" + store);
        Statement statement = database.createStatement();
        ResultSet results = statement.executeQuery("SELECT account, cents FROM ledger")) {
      List<String> rows = new ArrayList<>();
      while (results.next()) {
        rows.add(results.getString(1) + " " + results.getLong(2));
      }
      return rows;
    }
  }
}
