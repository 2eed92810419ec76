package dev.pawl.bench.host;

import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Order;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A measured process, as its parent sees it. Not thread-safe. */
public final class Child implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int SECONDS_TO_END = 20;

  /** A property with options for every JVM that is started, separated by spaces. */
  private static final String OPTIONS = "pawl.bench.java";

  private static final int PATIENCE_SECONDS = 900;
  private static final ExecutorService READING =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());

  private final Process process;
  private final BufferedWriter orders;
  private final BufferedReader answers;

  private Child(Process process) {
    this.process = process;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** An answer that is no answer: the engine cannot do it, is not there, or something broke. */
  public static final class Refused extends Exception {
    private final String kind;

    private Refused(String kind, String why) {
      super(why);
      this.kind = kind;
    }

    /** {@code na}, {@code missing} or {@code error}. */
    public String kind() {
      return kind;
    }

    /** A refusal that was not a process's own. */
    public static Refused because(String kind, String why) {
      return new Refused(kind, why);
    }
  }

  /** Starts this JVM's own class path with {@link Host} for an engine. */
  public static Child java(String engine, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Xlog:disable");
    if (Runtime.version().feature() >= 24) {
      // One of the peers uses what this JDK warns of.
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(options);
    command.addAll(List.of(System.getProperty(OPTIONS, "-Xshare:auto").split(" ", -1)));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(Host.class.getName());
    command.add(engine);
    return start(command);
  }

  /** Starts any program that speaks the same lines. What it says of errors goes where ours does. */
  public static Child start(List<String> command) throws IOException {
    return new Child(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  public long pid() {
    return process.pid();
  }

  /** What an engine says of itself when it was opened. */
  public record Opened(String settings, String durability) {}

  public Opened open(Map<String, Object> place) throws Refused {
    ObjectNode order = JSON.createObjectNode().put("do", "open");
    place.forEach(order::putPOJO);
    JsonNode answer = ask(order);
    return new Opened(answer.path("settings").asString(), answer.path("durability").asString());
  }

  /** Runs the work without measuring. */
  public void warm(Order order) throws Refused {
    ask(order("warm", order));
  }

  public Measured measure(Order order) throws Refused {
    JsonNode answer = ask(order("measure", order));
    Map<String, Double> more = new LinkedHashMap<>();
    answer
        .path("more")
        .properties()
        .forEach(each -> more.put(each.getKey(), each.getValue().asDouble()));
    return new Measured(
        answer.path("runs").asInt(),
        answer.path("seconds").asDouble(),
        answer.path("p50Millis").asDouble(),
        answer.path("p99Millis").asDouble(),
        more);
  }

  private static ObjectNode order(String what, Order order) {
    return JSON.createObjectNode()
        .put("do", what)
        .put("work", order.work().word())
        .put("runs", order.runs())
        .put("concurrency", order.concurrency())
        .put("seconds", order.seconds())
        .put("warmSeconds", order.warmSeconds());
  }

  /** Any other order; returns the number in the answer of that name, or 0. */
  public double tell(String what, int runs, String figure) throws Refused {
    return ask(JSON.createObjectNode().put("do", what).put("runs", runs)).path(figure).asDouble(0);
  }

  public void tell(String what, int runs) throws Refused {
    ask(JSON.createObjectNode().put("do", what).put("runs", runs));
  }

  private JsonNode ask(ObjectNode order) throws Refused {
    String line;
    try {
      orders.write(JSON.writeValueAsString(order));
      orders.newLine();
      orders.flush();
      line = READING.submit(answers::readLine).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (IOException | ExecutionException e) {
      throw new Refused("error", "its process has ended: " + e.getMessage());
    } catch (TimeoutException e) {
      kill();
      throw new Refused("error", "no answer within " + PATIENCE_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("error", "interrupted");
    }
    if (line == null) {
      throw new Refused("error", "its process has ended");
    }
    JsonNode answer = JSON.readTree(line);
    for (String kind : List.of("na", "missing", "error")) {
      if (answer.has(kind)) {
        throw new Refused(kind, answer.path(kind).asString());
      }
    }
    return answer;
  }

  /** Ends it as a power cut would. */
  public void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    try {
      orders.close();
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        kill();
        process.waitFor();
      }
    } catch (IOException e) {
      kill();
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }
}
