package dev.pawl.testkit.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between programs and a Postgres server, and lets connections suffer what networks do to
 * them. It follows the protocol far enough to lose exactly the answer to a commit: the transaction
 * is durable, and nobody hears of it. Thread-safe.
 */
public final class PostgresProxy implements AutoCloseable {
  private final ServerSocket door;
  private final int serverPort;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final AtomicInteger armed = new AtomicInteger();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger dropped = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile Duration delay = Duration.ZERO;
  private volatile int every;

  private PostgresProxy(ServerSocket door, int serverPort) {
    this.door = door;
    this.serverPort = serverPort;
  }

  /** Starts one before the server at this port of this machine. */
  public static PostgresProxy before(int serverPort) {
    try {
      PostgresProxy proxy =
          new PostgresProxy(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), serverPort);
      Thread.ofVirtual().name("proxy-door").start(proxy::acceptAll);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clients connect to. */
  public int port() {
    return door.getLocalPort();
  }

  // ---- what can be done ----

  /** Loses the answer to so many of the next commits, and with each its connection. */
  public void dropCommitReplies(int number) {
    armed.addAndGet(number);
  }

  /** Loses the answer to every so manieth commit from now on; 0 to lose no more. */
  public void dropEveryCommitReply(int number) {
    every = number;
  }

  /** Holds back every message of the server for so long from now on. */
  public void delay(Duration time) {
    delay = time;
  }

  /** Resets every connection there is; returns how many. */
  public int reset() {
    int number = links.size();
    links.forEach(Link::reset);
    return number;
  }

  /**
   * Lets nothing more pass on the connections there are, without telling either side; new ones are
   * as usual. Returns how many. {@link #reset} ends them.
   */
  public int silence() {
    int number = links.size();
    links.forEach(Link::silence);
    return number;
  }

  // ---- what has happened ----

  /** How many commits the server has acknowledged. */
  public int commits() {
    return commits.get();
  }

  /** How many of these answers were lost. */
  public int dropped() {
    return dropped.get();
  }

  /** How many connections there have been. */
  public int connections() {
    return connections.get();
  }

  // ---- the door ----

  private void acceptAll() {
    while (!door.isClosed()) {
      try {
        accept(door.accept());
      } catch (IOException e) {
        // The server is down, or the door is closed.
      }
    }
  }

  private void accept(Socket client) throws IOException {
    Socket server;
    try {
      server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
    } catch (IOException e) {
      client.close();
      throw e;
    }
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    connections.incrementAndGet();
    Link link = new Link(client, server, this::isDropped, () -> delay);
    links.add(link);
    link.start(() -> links.remove(link));
  }

  private boolean isDropped() {
    int number = commits.incrementAndGet();
    int each = every;
    boolean drop =
        (each > 0 && number % each == 0) || armed.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    if (drop) {
      dropped.incrementAndGet();
    }
    return drop;
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      links.forEach(Link::reset);
    }
  }
}
