package dev.pawl.cli.demo;

import dev.pawl.Pawl;
import dev.pawl.flow.Flow;
import dev.pawl.work.Retry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The shop of the demonstration: what its worker process does. */
public final class Shop {
  static final String TYPE = "shop.checkout.v1";

  private static final int COUNTERS = 4;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final long HALF_A_STEP_MILLIS = 150;

  private final Ledger ledger;

  private Shop(Ledger ledger) {
    this.ledger = ledger;
  }

  record Order(String id, int cents) {}

  /**
   * Carries out checkouts until standard input ends or the process is killed.
   *
   * @param ledger the file in which the world outside keeps what happened
   */
  public static void work(String storeUrl, Path ledger) throws IOException {
    try (Pawl pawl = Pawl.open(storeUrl)) {
      pawl.register(new Shop(new Ledger(ledger)).checkout());
      pawl.work(w -> w.concurrency(COUNTERS).lease(LEASE).poll(Duration.ofMillis(250)));
      while (System.in.read() >= 0) {
        // The demonstration holds the other end open for as long as it wants us.
      }
    }
  }

  private Flow<Order, String> checkout() {
    Retry once = Retry.standard();
    return Flow.define(
        TYPE,
        Order.class,
        String.class,
        (ctx, order) -> {
          ctx.step("reserve", String.class, once, step -> reserve(order));
          ctx.onFailure("release", () -> call("release", order, "release/" + order.id()));
          ctx.step(
              "charge", String.class, once, step -> call("charge", order, step.idempotencyKey()));
          ctx.onFailure("refund", () -> call("refund", order, "refund/" + order.id()));
          return ctx.step(
              "ship", String.class, once, step -> call("ship", order, step.idempotencyKey()));
        });
  }

  private static String reserve(Order order) throws InterruptedException {
    pause(order);
    pause(order);
    return "shelf for " + order.id();
  }

  /** Asks somebody outside to do a thing. The answer takes time to come back. */
  private String call(String what, Order order, String key)
      throws IOException, InterruptedException {
    pause(order);
    String receipt = ledger.ask(what, order.id(), key);
    pause(order);
    return receipt;
  }

  /** Some orders take longer than others. */
  private static void pause(Order order) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(HALF_A_STEP_MILLIS + order.cents() % 7 * 20L);
  }
}
