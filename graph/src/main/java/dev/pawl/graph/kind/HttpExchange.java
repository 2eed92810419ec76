package dev.pawl.graph.kind;

import dev.pawl.error.ErrorCode;
import dev.pawl.time.Ticker;
import dev.pawl.work.FailedException;
import dev.pawl.work.TimedOutException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One request over HTTP/1.1 and its redirects.
 *
 * <p>It speaks for itself, and not through the JDK's client, because it must connect to the very
 * address it has checked: a name may lead elsewhere when it is looked up a second time.
 */
final class HttpExchange {
  private static final Ticker TICKER = Ticker.system();
  private static final int MAX_HEAD_BYTES = 64 * 1024;

  private final String method;
  private final String url;
  private final Map<String, String> headers;
  private final Optional<String> body;
  private final Duration limit;
  private final long maxBytes;
  private final int redirects;
  private final boolean allowPrivate;
  private final long began = TICKER.nanos();

  /** What came back. */
  record Answer(String url, int status, Map<String, String> headers, String body) {
    boolean isJson() {
      String type = headers.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
      return type.contains("/json") || type.contains("+json");
    }
  }

  HttpExchange(
      String method,
      String url,
      Map<String, String> headers,
      Optional<String> body,
      Duration limit,
      long maxBytes,
      int redirects,
      boolean allowPrivate) {
    this.method = method.toUpperCase(Locale.ROOT);
    this.url = url;
    this.headers = headers;
    this.body = body;
    this.limit = limit;
    this.maxBytes = maxBytes;
    this.redirects = redirects;
    this.allowPrivate = allowPrivate;
  }

  Answer send() {
    URI target = parse(url);
    String verb = method;
    Optional<String> content = body;
    for (int i = 0; ; i++) {
      Answer answer = send(verb, target, content);
      Optional<String> next =
          answer.status() / 100 == 3
              ? Optional.ofNullable(answer.headers().get("location"))
              : Optional.empty();
      if (next.isEmpty() || answer.status() == 304) {
        return answer;
      }
      if (i == redirects) {
        throw refused(url + " leads on more than " + redirects + " times");
      }
      boolean sameRequest = answer.status() == 307 || answer.status() == 308;
      verb = sameRequest ? verb : verb.equals("HEAD") ? "HEAD" : "GET";
      content = sameRequest ? content : Optional.empty();
      target = parse(target.resolve(next.get()).toString());
    }
  }

  private static URI parse(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme();
      if (uri.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
        throw refused("'" + text + "' is no address of http or https");
      }
      return uri;
    } catch (URISyntaxException e) {
      throw refused("'" + text + "' is no address: " + e.getMessage());
    }
  }

  private Answer send(String verb, URI target, Optional<String> content) {
    try (Socket socket = connect(target)) {
      OutputStream out = socket.getOutputStream();
      out.write(head(verb, target, content).getBytes(StandardCharsets.ISO_8859_1));
      if (content.isPresent()) {
        out.write(content.get().getBytes(StandardCharsets.UTF_8));
      }
      out.flush();
      return read(socket, verb, target);
    } catch (SocketTimeoutException e) {
      throw new TimedOutException(
          "the request to "
              + target
              + " took longer than its limit of "
              + limit.toMillis()
              + " ms");
    } catch (IOException e) {
      throw FailedException.temporary(
          "HTTP", "the request to " + target + " did not get through: " + e.getMessage());
    }
  }

  // ---- connecting ----

  private Socket connect(URI target) throws IOException {
    boolean secure = target.getScheme().equals("https");
    int port = target.getPort() >= 0 ? target.getPort() : secure ? 443 : 80;
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(address(target.getHost()), port), left());
      plain.setSoTimeout(left());
      return secure ? secured(plain, target.getHost(), port) : plain;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private InetAddress address(String host) {
    String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    try {
      InetAddress[] all = InetAddress.getAllByName(name);
      for (InetAddress address : all) {
        if (!allowPrivate && Addresses.isPrivate(address)) {
          throw refused(
              "'"
                  + host
                  + "' leads to "
                  + address.getHostAddress()
                  + ", a private address; set 'allowPrivate' if that is meant");
        }
      }
      return all[0];
    } catch (UnknownHostException e) {
      throw FailedException.temporary("HTTP", "there is no host '" + host + "'");
    }
  }

  private static Socket secured(Socket plain, String host, int port) throws IOException {
    SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket secure = (SSLSocket) factory.createSocket(plain, host, port, true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  private int left() throws SocketTimeoutException {
    long left = limit.minus(TICKER.since(began)).toMillis();
    if (left <= 0) {
      throw new SocketTimeoutException();
    }
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  // ---- writing ----

  private String head(String verb, URI target, Optional<String> content) {
    String path =
        target.getRawPath() == null || target.getRawPath().isEmpty() ? "/" : target.getRawPath();
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("Host", target.getRawAuthority());
    all.put("Connection", "close");
    all.put("Accept-Encoding", "identity");
    all.put("User-Agent", "pawl");
    if (parse(url).getRawAuthority().equals(target.getRawAuthority())) {
      all.putAll(headers);
    }
    content.ifPresent(text ->
        all.put("Content-Length", Integer.toString(text.getBytes(StandardCharsets.UTF_8).length)));
    StringBuilder head = new StringBuilder(verb + " " + path + query + " HTTP/1.1\r\n");
    all.forEach((name, value) -> {
      if ((name + value).chars().anyMatch(c -> c == '\r' || c == '\n')) {
        throw refused("the header '" + name.strip() + "' has a line break in it");
      }
      head.append(name).append(": ").append(value).append("\r\n");
    });
    return head.append("\r\n").toString();
  }

  // ---- reading ----

  private Answer read(Socket socket, String verb, URI target) throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    String[] status = line(in, socket).split(" ", 3);
    if (status.length < 2 || !status[0].startsWith("HTTP/1.")) {
      throw new IOException("the answer is no HTTP");
    }
    Map<String, String> found = new LinkedHashMap<>();
    int bytes = 0;
    for (String line = line(in, socket); !line.isEmpty(); line = line(in, socket)) {
      bytes += line.length();
      int colon = line.indexOf(':');
      if (colon < 1 || bytes > MAX_HEAD_BYTES) {
        throw new IOException("the head of the answer makes no sense");
      }
      found.merge(
          line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, other) -> one + ", " + other);
    }
    int code = Integer.parseInt(status[1]);
    boolean none = verb.equals("HEAD") || code == 204 || code == 304;
    byte[] content = none ? new byte[0] : content(in, socket, found, target);
    return new Answer(target.toString(), code, found, new String(content, StandardCharsets.UTF_8));
  }

  private byte[] content(InputStream in, Socket socket, Map<String, String> found, URI target)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (found.getOrDefault("transfer-encoding", "").toLowerCase(Locale.ROOT).contains("chunked")) {
      for (long size = chunk(in, socket); size > 0; size = chunk(in, socket)) {
        copy(in, socket, out, size, target);
        line(in, socket);
      }
    } else {
      String length = found.get("content-length");
      copy(in, socket, out, length == null ? Long.MAX_VALUE : Long.parseLong(length), target);
    }
    return out.toByteArray();
  }

  private long chunk(InputStream in, Socket socket) throws IOException {
    String size = line(in, socket);
    int semicolon = size.indexOf(';');
    return Long.parseLong((semicolon < 0 ? size : size.substring(0, semicolon)).strip(), 16);
  }

  private void copy(
      InputStream in, Socket socket, ByteArrayOutputStream out, long bytes, URI target)
      throws IOException {
    byte[] buffer = new byte[16 * 1024];
    long rest = bytes;
    while (rest > 0) {
      socket.setSoTimeout(left());
      int got = in.read(buffer, 0, (int) Math.min(buffer.length, rest));
      if (got < 0) {
        if (bytes != Long.MAX_VALUE) {
          throw new IOException("the answer breaks off");
        }
        return;
      }
      out.write(buffer, 0, got);
      rest -= got;
      if (out.size() > maxBytes) {
        throw FailedException.permanent(
            ErrorCode.TOO_LARGE.name(),
            target + " sends more than the limit of " + maxBytes + " bytes; raise 'maxBytes'");
      }
    }
  }

  private String line(InputStream in, Socket socket) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    socket.setSoTimeout(left());
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0 || line.size() > MAX_HEAD_BYTES) {
        throw new IOException("the answer breaks off in its head");
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  private static FailedException refused(String why) {
    return FailedException.permanent(ErrorCode.BAD_INPUT.name(), why);
  }
}
