package dev.pawl.bench.host;

import dev.pawl.bench.peers.NotPossible;
import dev.pawl.bench.peers.Peer;
import dev.pawl.bench.peers.Peers;
import dev.pawl.bench.peers.Place;
import dev.pawl.bench.peers.Role;
import dev.pawl.bench.peers.Tally;
import dev.pawl.bench.works.Carrying;
import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Order;
import dev.pawl.bench.works.Work;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The main class of a measured process: reads one order a line and answers each with one line. Ends
 * when its input does, so that it never outlives its parent.
 */
public final class Host {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int PATIENCE_SECONDS = 120;

  private final Peer peer;

  private Host(Peer peer) {
    this.peer = peer;
  }

  /** Takes the name of the engine. */
  public static void main(String[] args) throws InterruptedException {
    PrintStream answers = System.out;
    // Whatever an engine prints must not be taken for an answer.
    System.setOut(System.err);
    BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    Thread.ofPlatform().daemon().start(() -> read(orders));
    try {
      Host host = new Host(Peers.make(args[0]));
      while (true) {
        String line = orders.take();
        answers.println(JSON.writeValueAsString(host.answer(JSON.readTree(line))));
        answers.flush();
      }
    } catch (ReflectiveOperationException | LinkageError e) {
      answers.println(
          JSON.writeValueAsString(Map.of("missing", "its jar is not there (" + e + ")")));
      answers.flush();
    }
  }

  /** Whatever is under way when the input ends is given up: nobody waits for it any more. */
  private static void read(BlockingQueue<String> orders) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      lines.lines().forEach(orders::add);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("pawl: the orders broke off: " + e.getMessage());
    }
    Runtime.getRuntime().halt(0);
  }

  private ObjectNode answer(JsonNode order) {
    ObjectNode answer = JSON.createObjectNode();
    try {
      carryOut(order, answer);
    } catch (NotPossible e) {
      answer.put("na", e.getMessage());
    } catch (Exception | LinkageError e) {
      answer.put("error", describe(e));
    }
    return answer;
  }

  private static String describe(Throwable e) {
    Throwable cause = e.getCause();
    return cause == null ? e.toString() : e + ", because of " + describe(cause);
  }

  private void carryOut(JsonNode order, ObjectNode answer) throws Exception {
    switch (order.path("do").asString()) {
      case "open" -> opened(order, answer);
      case "warm" -> new Carrying(peer).warmUp(order(order));
      case "measure" -> measure(order, answer);
      case "block" -> block(order.path("runs").asInt());
      case "finish" -> finish();
      case "most" -> answer.put("runs", peer.mostParked());
      case "park" -> peer.park(order.path("runs").asInt());
      case "cold" -> answer.put("seconds", peer.coldSeconds(order.path("runs").asInt()));
      case "size" -> answer.put("bytes", 0);
      case "claims" -> answer.put("millis", peer.claimMillis());
      case "heap" -> answer.put("bytes", heap());
      case "close" -> peer.close();
      default -> throw new IllegalArgumentException("unknown order " + order);
    }
  }

  private void opened(JsonNode order, ObjectNode answer) {
    try {
      open(order, answer);
    } catch (Exception | LinkageError e) {
      answer.put("missing", e instanceof IllegalStateException ? e.getMessage() : describe(e));
    }
  }

  private void open(JsonNode order, ObjectNode answer) throws Exception {
    peer.open(
        new Place(
            order.path("url").asString(),
            order.path("jdbcUrl").asString(),
            order.path("user").asString(),
            order.path("password").asString(),
            Role.valueOf(order.path("role").asString().toUpperCase(Locale.ROOT)),
            order.path("concurrency").asInt()));
    answer.put("settings", peer.settings()).put("durability", peer.durability());
  }

  private void measure(JsonNode order, ObjectNode answer) throws Exception {
    Measured measured = new Carrying(peer).carryOut(order(order));
    answer
        .put("runs", measured.runs())
        .put("seconds", measured.seconds())
        .put("p50Millis", measured.p50Millis())
        .put("p99Millis", measured.p99Millis());
    ObjectNode more = answer.putObject("more");
    measured.more().forEach(more::put);
  }

  private static Order order(JsonNode order) {
    return new Order(
        Work.parse(order.path("work").asString()),
        order.path("runs").asInt(),
        order.path("concurrency").asInt(),
        order.path("seconds").asDouble(),
        order.path("warmSeconds").asDouble());
  }

  private void block(int runs) throws Exception {
    Tally.expect(runs);
    peer.block(runs);
    Tally.await(PATIENCE_SECONDS);
  }

  private void finish() throws Exception {
    long end = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
    while (peer.unfinished() > 0) {
      if (System.nanoTime() > end) {
        throw NotPossible.because("its runs were not taken over within " + PATIENCE_SECONDS + " s");
      }
      Thread.sleep(20);
    }
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
