package dev.pawl.examples;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.flow.Flow;
import dev.pawl.work.Retry;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;

/**
 * An order from reservation to parcel: steps, an undo, a payment, a person's word, a long sleep.
 */
@NullUnmarked
public final class Checkout {
  record Order(String id, BigDecimal total) {}

  record Hold(String shelf) {}

  record Approval(String by) {}

  record Receipt(String order, String parcel, String approvedBy) {}

  /** How long things take: days in a shop, milliseconds in a test. */
  record Pace(Duration patience, Duration coolingOff) {
    static final Pace OF_A_SHOP = new Pace(ofHours(24), ofDays(2));
  }

  /** The world outside. */
  interface Shop {
    Hold reserve(Order order);

    void release(Hold hold);

    /** Charges once for each key, however often it is called. */
    void charge(Order order, String key) throws Declined;

    String ship(Order order);
  }

  /** The bank said no; asking again will not help. */
  static final class Declined extends Exception {
    private static final long serialVersionUID = 1L;

    Declined(String message) {
      super(message);
    }
  }

  private Checkout() {}

  // snippet:flow
  static Flow<Order, Receipt> checkout(Shop shop, Pace pace) {
    return Flow.define(
        "shop.checkout.v1",
        Order.class,
        Receipt.class,
        (ctx, order) -> {
          Hold hold = ctx.step("reserve", Hold.class, () -> shop.reserve(order));
          ctx.onFailure("release", () -> shop.release(hold));

          ctx.step(
              "charge",
              Retry.exponential(5).unless(Declined.class).timeout(ofSeconds(10)),
              step -> shop.charge(order, step.idempotencyKey()));

          Approval approval =
              ctx.awaitEvent("approved." + order.id(), Approval.class, pace.patience());
          ctx.sleep(pace.coolingOff());

          String parcel = ctx.step("ship", String.class, () -> shop.ship(order));
          return new Receipt(order.id(), parcel, approval.by());
        });
  }

  // end

  // snippet:start
  static RunHandle<Receipt> place(Pawl pawl, Flow<Order, Receipt> checkout, Order order) {
    return pawl.start(checkout, order, o -> o.key("order-" + order.id()).priority(10));
  }
  // end
}
