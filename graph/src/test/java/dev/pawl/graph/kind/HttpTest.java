package dev.pawl.graph.kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.pawl.work.FailedException;
import dev.pawl.work.TimedOutException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HttpTest {
  private final CountDownLatch never = new CountDownLatch(1);
  private HttpServer server;

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(command -> Thread.ofVirtual().start(command));
    server.createContext(
        "/text",
        exchange -> {
          byte[] body = "x".repeat(5000).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(
              200, exchange.getRequestURI().getQuery() == null ? body.length : 0);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.createContext(
        "/moved",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "/text");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    server.createContext(
        "/slow",
        exchange -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            exchange.close();
          }
        });
    server.start();
  }

  @AfterEach
  void close() {
    never.countDown();
    server.stop(0);
  }

  private HttpExchange.Answer get(String path, long maxBytes, int redirects, boolean allowPrivate) {
    return new HttpExchange(
            "GET",
            "http://localhost:" + server.getAddress().getPort() + path,
            Map.of(),
            Optional.empty(),
            Duration.ofMillis(path.equals("/slow") ? 50 : 20_000),
            maxBytes,
            redirects,
            allowPrivate)
        .send();
  }

  @Test
  void aTextIsReadWhetherItsLengthIsKnownOrNot() {
    assertThat(get("/text", 10_000, 5, true).body()).hasSize(5000);
    assertThat(get("/text?chunked", 10_000, 5, true).body()).hasSize(5000);
    assertThat(get("/moved", 10_000, 5, true).body()).hasSize(5000);
  }

  @Test
  void aPrivateAddressIsRefused() {
    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(() -> get("/text", 10_000, 5, false))
        .withMessageContaining("private");
  }

  @Test
  void limitsHold() {
    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(() -> get("/text", 100, 5, true))
        .withMessageContaining("limit of 100 bytes");
    assertThatExceptionOfType(FailedException.class)
        .isThrownBy(() -> get("/moved", 10_000, 0, true))
        .withMessageContaining("leads on");
    assertThatExceptionOfType(TimedOutException.class).isThrownBy(() -> get("/slow", 100, 5, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "fe80::1",
        "fc00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1"
      })
  void theseAreNotOfTheOpenInternet(String address) throws Exception {
    assertThat(Addresses.isPrivate(InetAddress.getByName(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111"})
  void theseAre(String address) throws Exception {
    assertThat(Addresses.isPrivate(InetAddress.getByName(address))).isFalse();
  }
}
