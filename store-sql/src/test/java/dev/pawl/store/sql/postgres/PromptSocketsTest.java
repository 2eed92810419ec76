package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PromptSocketsTest {
  private static final int A_GLANCE = 1;
  private static final int PATIENCE = 20_000;

  private ServerSocket server;
  private Socket client;
  private Socket other;

  @BeforeEach
  void connect() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    server = new ServerSocket(0, 1, here);
    client = new PromptSockets().createSocket(here, server.getLocalPort());
    other = server.accept();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    other.close();
    server.close();
  }

  @Test
  void aGlanceAtNothingIsOverAtOnce() throws IOException {
    client.setSoTimeout(A_GLANCE);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessage("nothing to read at present");
  }

  @Test
  void whatIsThereIsRead() throws IOException {
    other.getOutputStream().write(new byte[] {7, 8});
    client.setSoTimeout(PATIENCE);
    assertThat(client.getInputStream().read()).isEqualTo(7);
    client.setSoTimeout(A_GLANCE);
    assertThat(client.getInputStream().read(new byte[4], 0, 4)).isEqualTo(1);
  }

  @Test
  void whoIsPatientWaits() throws Exception {
    client.setSoTimeout(PATIENCE);
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                other.getOutputStream().write(9);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(client.getInputStream().read()).isEqualTo(9);
    writer.join();
  }
}
