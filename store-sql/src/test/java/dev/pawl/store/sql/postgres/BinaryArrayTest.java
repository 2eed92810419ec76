package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.sql.BodyConnection;
import dev.pawl.store.sql.postgres.BinaryArray.Element;
import dev.pawl.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BinaryArrayTest {
  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String URL = SERVER.database();

  static Stream<Arguments> arrays() {
    return Stream.of(
        Arguments.of(Element.UUID, new Object[] {new UUID(-1, 2), null, new UUID(0, -3)}),
        Arguments.of(
            Element.TEXT, new Object[] {"", null, "a \"b\", {c}", "Ω \uD83D\uDE00", "NULL"}),
        Arguments.of(Element.NUMBER, new Object[] {Long.MIN_VALUE, 0L, null, Long.MAX_VALUE}),
        Arguments.of(Element.FLAG, new Object[] {true, null, false}),
        Arguments.of(Element.UUID, new Object[] {}),
        Arguments.of(Element.TEXT, new Object[] {}),
        Arguments.of(Element.TEXT, new Object[] {null}));
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void whatIsGivenIsWhatTheServerHas(Element element, @Nullable Object[] values)
      throws SQLException {
    try (Connection connection = PostgresServer.connect(URL)) {
      assertThat(echo(connection, element, values)).containsExactly(values);
    }
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void aConnectionThatSendsTextIsGivenText(Element element, @Nullable Object[] values)
      throws SQLException {
    PostgresAddress address =
        PostgresAddress.parse(URL + "?preferQueryMode=simple", PostgresOptions.defaults());
    try (Connection connection =
        DriverManager.getConnection(address.jdbcUrl(), address.properties())) {
      assertThat(echo(connection, element, values)).containsExactly(values);
    }
  }

  /** The elements as rows, one after the other. */
  private static @Nullable Object[] echo(
      Connection connection, Element element, @Nullable Object[] values) throws SQLException {
    String sql = "SELECT u FROM unnest(?::" + element.type + "[]) WITH ORDINALITY AS t (u, n)";
    try (PreparedStatement statement = connection.prepareStatement(sql + " ORDER BY n")) {
      new Parameters(connection, statement).array(element, values);
      Stream.Builder<@Nullable Object> found = Stream.builder();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getObject(1));
        }
      }
      return found.build().toArray();
    }
  }

  @Test
  void aTransactionalStepsConnectionIsNotTakenApart() throws SQLException {
    try (Connection connection = PostgresServer.connect(URL);
        BodyConnection body = new BodyConnection(connection)) {
      assertThat(echo(body.connection(), Element.NUMBER, new Object[] {7L})).containsExactly(7L);
    }
  }
}
