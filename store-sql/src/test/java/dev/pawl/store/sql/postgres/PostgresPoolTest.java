package dev.pawl.store.sql.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.store.Store;
import dev.pawl.testkit.postgres.PostgresServer;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that are lost before anybody had them. */
@Timeout(60)
class PostgresPoolTest {
  private static final AtomicInteger LOST = new AtomicInteger();

  @Test
  void aConnectionThatIsLostWhileItIsPreparedIsReplaced() {
    LOST.set(0);
    String url =
        PostgresServer.shared().database() + "?socketFactory=" + Treacherous.class.getName();
    try (Store store = PostgresStore.open(url, PostgresOptions.defaults())) {
      assertThat(store.counts()).isEmpty();
      assertThat(LOST).hasPositiveValue();
    }
  }

  /** Sockets that break when somebody asks for the isolation level, once for each pool. */
  public static final class Treacherous extends SocketFactory {
    private static final int POOLS = 2;

    /** As the driver wants it. */
    public Treacherous() {}

    @Override
    public Socket createSocket() {
      return new Breaking();
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
      throw new UnsupportedOperationException();
    }

    private static final class Breaking extends Socket {
      @Override
      public OutputStream getOutputStream() throws IOException {
        return new FilterOutputStream(super.getOutputStream()) {
          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            String text = new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
            if (text.contains("ISOLATION LEVEL") && LOST.incrementAndGet() <= POOLS) {
              close();
              throw new IOException("the connection is lost");
            }
            out.write(bytes, offset, length);
          }
        };
      }
    }
  }
}
