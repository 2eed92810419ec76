package dev.pawl.cli.demo;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.LogLine;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.log.Entry;
import dev.pawl.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Starts a worker process and a dozen checkouts, kills the worker in the middle, starts another,
 * and shows that every order was charged once and shipped once.
 */
public final class Demonstration {
  private static final int ORDERS = 12;
  private static final int ENOUGH_DONE = 3;
  private static final long LOOK_MILLIS = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Session session;
  private final Board board;
  private final Ticker ticker = Ticker.system();
  private final long began = ticker.nanos();
  private final Path directory;
  private final String url;
  private final Path ledgerFile;
  private final Ledger ledger;

  private Demonstration(Session session, Path directory) {
    this.session = session;
    this.board = new Board(session);
    this.directory = directory;
    this.url = "sqlite:" + directory.resolve("shop.db");
    this.ledgerFile = directory.resolve("ledger.jsonl");
    this.ledger = new Ledger(ledgerFile);
  }

  /** Shows it; returns the exit code: 0 only if the promise was kept. */
  public static int run(Session session) throws IOException, InterruptedException {
    String temporary =
        session.terminal().env().getOrDefault("TMPDIR", System.getProperty("java.io.tmpdir"));
    Path directory = Files.createTempDirectory(Path.of(temporary), "pawl-demo-");
    return new Demonstration(session, directory).run();
  }

  private int run() throws IOException, InterruptedException {
    try (Pawl pawl = Pawl.open(url)) {
      Orders orders = Orders.place(pawl, ORDERS);
      board.say(Tone.STRONG, ORDERS + " orders are recorded in " + directory.resolve("shop.db"));
      List<Orders.View> atCrash = workUntilTheMiddle(orders);
      Instant crash = pawl.store().now();
      board.say(
          Tone.BAD,
          "kill -9: the worker is gone, " + running(atCrash) + " orders were in its hands");
      List<Orders.View> atEnd = workToTheEnd(orders);
      return tell(Verdict.of(atEnd, atCrash, ledger.lines(), crash));
    }
  }

  private static long running(List<Orders.View> orders) {
    return orders.stream().filter(Orders.View::isRunning).count();
  }

  /** Returns the orders as the killed worker left them. */
  private List<Orders.View> workUntilTheMiddle(Orders orders)
      throws IOException, InterruptedException {
    try (WorkerProcess worker = startWorker("a worker", " has started; it will not live long")) {
      await(orders, worker, this::isTheMiddle);
      worker.kill();
    }
    return orders.look();
  }

  /** Some are done, some are not begun, and somebody was charged who is not yet on record so. */
  private boolean isTheMiddle(List<Orders.View> orders) {
    long done = orders.stream().filter(Orders.View::isDone).count();
    return done >= ENOUGH_DONE
        && running(orders) >= 2
        && orders.stream().anyMatch(order -> order.isRunning() && isChargedOffTheRecord(order));
  }

  private boolean isChargedOffTheRecord(Orders.View order) {
    try {
      return !order.has("charge")
          && ledger.lines().stream()
              .anyMatch(line -> line.what().equals("charge") && line.order().equals(order.name()));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private List<Orders.View> workToTheEnd(Orders orders) throws IOException, InterruptedException {
    try (WorkerProcess worker =
        startWorker("another worker", " has started; leases of the first run out in 2 s")) {
      return await(orders, worker, views -> views.stream().allMatch(Orders.View::isDone));
    }
  }

  private WorkerProcess startWorker(String name, String rest) throws IOException {
    WorkerProcess worker = WorkerProcess.start(url, ledgerFile, directory.resolve("worker.log"));
    board.say(Tone.BUSY, name + " (process " + worker.pid() + ")" + rest);
    return worker;
  }

  private List<Orders.View> await(
      Orders orders, WorkerProcess worker, Predicate<List<Orders.View>> reached)
      throws InterruptedException {
    while (true) {
      List<Orders.View> views = orders.look();
      board.show(views);
      if (reached.test(views)) {
        return views;
      }
      if (!worker.isAlive() || ticker.since(began).compareTo(PATIENCE) > 0) {
        throw CommandException.unkept(
            (worker.isAlive() ? "the orders were not done in time" : "a worker ended by itself")
                + "; look at "
                + directory
                + " (worker.log, 'pawl ls --store "
                + url
                + "')");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  // ---- what came of it ----

  private int tell(Verdict verdict) {
    if (session.isJson()) {
      session.print(json(verdict));
    } else {
      summary(verdict);
      interruptedOrder(verdict);
      whatNext(verdict);
    }
    if (!verdict.isKept()) {
      throw CommandException.unkept(
          "of "
              + ORDERS
              + " orders "
              + verdict.chargedOnce()
              + " were charged once and "
              + verdict.shippedOnce()
              + " shipped once; this is a defect of Pawl, and "
              + directory
              + " has the evidence");
    }
    return ExitCode.OK;
  }

  private JsonLine json(Verdict verdict) {
    JsonLine out =
        new JsonLine()
            .put("kept", verdict.isKept())
            .put("orders", verdict.orders())
            .put("chargedOnce", verdict.chargedOnce())
            .put("shippedOnce", verdict.shippedOnce())
            .put("interrupted", verdict.interrupted().size())
            .put("repeatedRequests", verdict.repeated().size())
            .put("millis", ticker.millisSince(began))
            .put("store", url);
    verdict.recovery().ifPresent(span -> out.put("recoveryMillis", span.toMillis()));
    return out;
  }

  private void summary(Verdict verdict) {
    String names =
        verdict.interrupted().stream().map(Orders.View::name).collect(Collectors.joining(", "));
    line("");
    line(
        session
            .paint()
            .apply(
                verdict.isKept() ? Tone.GOOD : Tone.BAD,
                verdict.shippedOnce()
                    + " of "
                    + ORDERS
                    + " orders shipped once, "
                    + verdict.chargedOnce()
                    + " charged once, in "
                    + TimeText.span(ticker.since(began))));
    line("  The crash interrupted " + verdict.interrupted().size() + ": " + names + ".");
    verdict
        .recovery()
        .ifPresent(span ->
            line("  All of them were in good hands again " + TimeText.span(span) + " after it."));
    if (!verdict.repeated().isEmpty()) {
      line("  Outside, some things had been done that were not yet on record; they were asked for");
      line("  again under the same idempotency key, and so not done again:");
      for (Ledger.Line repeated : verdict.repeated()) {
        line("    " + repeated.what() + " of " + repeated.order());
      }
    }
  }

  private void interruptedOrder(Verdict verdict) {
    String wanted = verdict.repeated().isEmpty() ? "" : verdict.repeated().getFirst().order();
    verdict.interrupted().stream()
        .filter(order -> wanted.isEmpty() || order.name().equals(wanted))
        .findFirst()
        .ifPresent(order -> {
          line("");
          line(session.paint().apply(Tone.STRONG, "The log of " + order.name()));
          for (Entry entry : order.log()) {
            line(LogLine.of(entry, session.paint()));
          }
        });
  }

  private void whatNext(Verdict verdict) {
    String name =
        verdict.interrupted().isEmpty() ? "order-01" : verdict.interrupted().getFirst().name();
    String pawl = typed();
    line("");
    line("Look around:");
    line("  export PAWL_STORE=" + url);
    line("  " + pawl + " ls");
    line("  " + pawl + " show key:" + name);
    line("  " + pawl + " doctor");
    line("  cat " + ledgerFile);
    line("Then start something of your own:");
    line("  " + pawl + " start hello.v1 '{\"name\":\"Ada\"}' --store sqlite:hello.db");
    line("  " + pawl + " work --exec 'hello.v1=cat' --until-idle --store sqlite:hello.db");
  }

  /** The word this was started with, as far as the shell tells: {@code pawl} or {@code ./pawl}. */
  private String typed() {
    String word = session.terminal().env().getOrDefault("_", "");
    return word.endsWith("/pawl") ? word : "pawl";
  }

  private void line(String text) {
    session.out().println(text);
  }
}
