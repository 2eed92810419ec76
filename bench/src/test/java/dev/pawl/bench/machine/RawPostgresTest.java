package dev.pawl.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class RawPostgresTest {
  private static final String TABLES =
      """
      CREATE TABLE run (
        id uuid PRIMARY KEY, data json, tags text[], at timestamptz,
        twice bigint GENERATED ALWAYS AS (n * 2) STORED, n bigint NOT NULL);
      CREATE TABLE event (
        run uuid REFERENCES run, seq bigint GENERATED ALWAYS AS IDENTITY, kind text,
        PRIMARY KEY (run, seq));
      """;
  private static final String ROWS =
      """
      INSERT INTO run (id, data, tags, at, n)
        SELECT gen_random_uuid(), '{"a": 1}', '{x,"y z"}', now(), n FROM generate_series(1, 50) n;
      INSERT INTO event (run, kind) SELECT id, 'created' FROM run;
      INSERT INTO event (run, kind) SELECT id, NULL FROM run;
      """;

  @Test
  void theSameRowsAreInsertedAgainWhateverTheirTypes() throws Exception {
    try (PostgresServer server = PostgresServer.embedded()) {
      Database from = server.create();
      Database to = server.create();
      execute(from, TABLES + ROWS);
      execute(to, TABLES);

      RawPostgres raw = RawPostgres.of(from, to, 1000);
      assertThat(raw.rows()).isEqualTo(150).isEqualTo((int) Tables.rows(from));
      for (int connections : new int[] {1, 3}) {
        assertThat(raw.rowsPerSecond(7, connections)).isPositive();
        assertThat(Tables.rows(to)).isEqualTo(150);
      }
      assertThat(server.settings())
          .contains("fsync on", "synchronous_commit on", "full_page_writes on");
    }
  }

  private static void execute(Database database, String statements) throws Exception {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(statements);
    }
  }
}
