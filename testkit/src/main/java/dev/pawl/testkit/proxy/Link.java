package dev.pawl.testkit.proxy;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One connection through the proxy: what the client says is passed on as it is, what the server
 * says message by message. Two threads, one for each direction; both end with the link.
 */
final class Link {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int MAX_MESSAGE = 1 << 30;
  private static final int BUFFER = 64 * 1024;

  private final Socket client;
  private final Socket server;
  private final BooleanSupplier dropsCommit;
  private final Supplier<Duration> delay;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean silent;

  /**
   * A link that asks at every commit whether its answer is to be lost, and at every message how
   * long to hold it back.
   */
  Link(Socket client, Socket server, BooleanSupplier dropsCommit, Supplier<Duration> delay) {
    this.client = client;
    this.server = server;
    this.dropsCommit = dropsCommit;
    this.delay = delay;
  }

  void start(Runnable whenOver) {
    Thread.ofVirtual()
        .name("proxy-client")
        .start(() -> {
          try {
            carry();
          } catch (IOException e) {
            // One of the two has gone: so does the other.
          } finally {
            reset();
            whenOver.run();
          }
        });
  }

  /** From now on nothing passes in either direction, and neither side is told. */
  void silence() {
    silent = true;
  }

  /** Ends both connections at once, as if the machines had forgotten them. */
  void reset() {
    ended.countDown();
    close(client);
    close(server);
  }

  private static void close(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is closed already.
    }
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }

  /** Passes on the greeting, in which messages have no kind, then everything else. */
  private void carry() throws IOException {
    DataInputStream fromClient = new DataInputStream(client.getInputStream());
    DataOutputStream toServer = new DataOutputStream(server.getOutputStream());
    DataInputStream fromServer =
        new DataInputStream(new BufferedInputStream(server.getInputStream(), BUFFER));
    boolean greeting = true;
    while (greeting) {
      int length = fromClient.readInt();
      byte[] body = read(fromClient, length);
      int code = ((body[0] & 255) << 24) | ((body[1] & 255) << 16) | ((body[2] & 255) << 8);
      code |= body[3] & 255;
      toServer.writeInt(length);
      toServer.write(body);
      toServer.flush();
      greeting = code == SSL_REQUEST || code == GSS_REQUEST;
      if (greeting) {
        int answer = fromServer.read();
        if (answer != 'N') {
          throw new IOException("the proxy can only follow connections without encryption");
        }
        client.getOutputStream().write(answer);
      }
    }
    Thread.ofVirtual().name("proxy-server").start(() -> answer(fromServer));
    byte[] buffer = new byte[BUFFER];
    for (int n = fromClient.read(buffer); n >= 0; n = fromClient.read(buffer)) {
      awaitEndIfSilent();
      toServer.write(buffer, 0, n);
    }
  }

  private void answer(DataInputStream fromServer) {
    try {
      DataOutputStream toClient =
          new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), BUFFER));
      ServerWords words = new ServerWords();
      while (true) {
        int kind = fromServer.readUnsignedByte();
        int length = fromServer.readInt();
        byte[] body = read(fromServer, length);
        if (words.isCommit(kind, body) && dropsCommit.getAsBoolean()) {
          return;
        }
        hold();
        toClient.writeByte(kind);
        toClient.writeInt(length);
        toClient.write(body);
        if (fromServer.available() == 0) {
          toClient.flush();
        }
      }
    } catch (IOException e) {
      // One of the two has gone: so does the other.
    } finally {
      reset();
    }
  }

  private static byte[] read(DataInputStream from, int length) throws IOException {
    if (length < 4 || length > MAX_MESSAGE) {
      throw new EOFException("a message of " + length + " bytes is not of this protocol");
    }
    byte[] body = new byte[length - 4];
    from.readFully(body);
    return body;
  }

  private void hold() throws IOException {
    awaitEndIfSilent();
    Duration time = delay.get();
    if (!time.isZero()) {
      awaitEnd(time);
    }
  }

  private void awaitEndIfSilent() throws IOException {
    if (silent) {
      awaitEnd(Duration.ofDays(1));
    }
  }

  private void awaitEnd(Duration longest) throws IOException {
    try {
      if (ended.await(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new EOFException("the link has ended");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
