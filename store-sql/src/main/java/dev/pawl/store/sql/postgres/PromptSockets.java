package dev.pawl.store.sql.postgres;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets for the connection that listens. When the driver has read a notification, it looks for
 * another with the shortest time limit there is, a millisecond, and only then hands over what it
 * has; on an idle machine that takes two. Here such a look ends at once if there is nothing. The
 * driver makes one by its name. Thread-safe.
 */
public final class PromptSockets extends SocketFactory {
  private static final int GLANCE_MILLIS = 1;

  /** As the driver wants it. */
  public PromptSockets() {}

  @Override
  public Socket createSocket() {
    return new Prompt();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(InetAddress.getByName(host), port, null, 0);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return connected(InetAddress.getByName(host), port, from, fromPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(host, port, null, 0);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return connected(host, port, from, fromPort);
  }

  private static Socket connected(
      InetAddress host, int port, @Nullable InetAddress from, int fromPort) throws IOException {
    Socket socket = new Prompt();
    if (from != null) {
      socket.bind(new InetSocketAddress(from, fromPort));
    }
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  private static final class Prompt extends Socket {
    @Override
    public InputStream getInputStream() throws IOException {
      return new Glancing(this, super.getInputStream());
    }
  }

  private static final class Glancing extends FilterInputStream {
    private final Socket socket;

    Glancing(Socket socket, InputStream in) {
      super(in);
      this.socket = socket;
    }

    @Override
    public int read() throws IOException {
      glance();
      return super.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      glance();
      return super.read(bytes, offset, length);
    }

    private void glance() throws IOException {
      if (socket.getSoTimeout() == GLANCE_MILLIS && available() == 0) {
        throw new Nothing();
      }
    }
  }

  /** Nothing to read at present. It is thrown with every notification: where from is known. */
  private static final class Nothing extends SocketTimeoutException {
    private static final long serialVersionUID = 1L;

    Nothing() {
      super("nothing to read at present");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
