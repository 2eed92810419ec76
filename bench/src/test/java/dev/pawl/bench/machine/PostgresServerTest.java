package dev.pawl.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresServerTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"postgres://me@localhost/postgres", "postgresql://me:pass%20word@db:5433/bench"})
  void aServerIsNamedByUserHostAndDatabase(String url) {
    assertThat(PostgresServer.isAddress(url)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://localhost/postgres",
        "postgres://localhost",
        "postgres:///bench",
        "localhost:5432",
        "a server"
      })
  void anythingElseIsRefused(String url) {
    assertThat(PostgresServer.isAddress(url)).isFalse();
  }
}
