package dev.pawl.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.Pawl;
import dev.pawl.RunHandle;
import dev.pawl.examples.Checkout.Approval;
import dev.pawl.examples.Checkout.Declined;
import dev.pawl.examples.Checkout.Hold;
import dev.pawl.examples.Checkout.Order;
import dev.pawl.examples.Checkout.Pace;
import dev.pawl.examples.Checkout.Receipt;
import dev.pawl.flow.Flow;
import dev.pawl.work.FailedException;
import dev.pawl.work.TimedOutException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class CheckoutTest {
  private static final Duration SOON = ofSeconds(10);
  private static final Pace QUICK = new Pace(ofMinutes(1), ofMillis(20));
  private static final Order ORDER = new Order("17", new BigDecimal("49.90"));

  @TempDir private Path directory;
  private final Books shop = new Books();
  private String store = "";

  @BeforeEach
  void nameTheStore() {
    store = "sqlite:" + directory.resolve("orders.db");
  }

  @Test
  void anApprovedOrderIsChargedAndShippedOnce() {
    Flow<Order, Receipt> checkout = Checkout.checkout(shop, QUICK);
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(checkout).work();
      RunHandle<Receipt> run = Checkout.place(pawl, checkout, ORDER);
      pawl.emit("approved.17", new Approval("Grace"));

      assertThat(run.result(SOON)).isEqualTo(new Receipt("17", "parcel of 17", "Grace"));
      assertThat(shop.done)
          .containsExactly(
              "reserve 17", "charge 17 by shop.checkout.v1/" + run.id() + "/charge#0", "ship 17");
    }
  }

  @Test
  void aSecondStartOfTheSameOrderIsTheFirstRun() {
    Flow<Order, Receipt> checkout = Checkout.checkout(shop, QUICK);
    try (Pawl pawl = Pawl.open(store)) {
      RunHandle<Receipt> first = Checkout.place(pawl, checkout, ORDER);
      RunHandle<Receipt> second = Checkout.place(pawl, checkout, ORDER);
      assertThat(second.id()).isEqualTo(first.id());
      assertThat(first.isNew()).isTrue();
      assertThat(second.isNew()).isFalse();
    }
  }

  @Test
  void anOrderOutlivesTheProcessThatTookIt() throws InterruptedException {
    try (Pawl pawl = Pawl.open(store)) {
      Flow<Order, Receipt> checkout = Checkout.checkout(shop, QUICK);
      pawl.register(checkout).work();
      Checkout.place(pawl, checkout, ORDER);
      shop.charged.await();
    }
    try (Pawl pawl = Pawl.open(store)) {
      Flow<Order, Receipt> checkout = Checkout.checkout(shop, QUICK);
      pawl.register(checkout).work();
      pawl.emit("approved.17", new Approval("Grace"));
      assertThat(Checkout.place(pawl, checkout, ORDER).result(SOON))
          .isEqualTo(new Receipt("17", "parcel of 17", "Grace"));
    }
    assertThat(shop.done).hasSize(3);
  }

  @Test
  void aDeclinedOrderIsReleasedAndNotTriedAgain() {
    shop.declines = true;
    Flow<Order, Receipt> checkout = Checkout.checkout(shop, QUICK);
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(checkout).work();
      RunHandle<Receipt> run = Checkout.place(pawl, checkout, ORDER);
      assertThatThrownBy(() -> run.result(SOON))
          .isInstanceOf(FailedException.class)
          .hasMessageContaining("no money");
      assertThat(shop.done).containsExactly("reserve 17", "decline 17", "release shelf 17");
    }
  }

  @Test
  void anOrderThatNobodyApprovesIsReleased() {
    Flow<Order, Receipt> checkout = Checkout.checkout(shop, new Pace(ofMillis(50), ofMillis(20)));
    try (Pawl pawl = Pawl.open(store)) {
      pawl.register(checkout).work();
      RunHandle<Receipt> run = Checkout.place(pawl, checkout, ORDER);
      assertThatThrownBy(() -> run.result(SOON)).isInstanceOf(TimedOutException.class);
      assertThat(shop.done).last().isEqualTo("release shelf 17");
    }
  }

  /** A shop that keeps a list of what it did. */
  private static final class Books implements Checkout.Shop {
    final List<String> done = new CopyOnWriteArrayList<>();
    final CountDownLatch charged = new CountDownLatch(1);
    boolean declines;

    @Override
    public Hold reserve(Order order) {
      done.add("reserve " + order.id());
      return new Hold("shelf " + order.id());
    }

    @Override
    public void release(Hold hold) {
      done.add("release " + hold.shelf());
    }

    @Override
    public void charge(Order order, String key) throws Declined {
      if (declines) {
        done.add("decline " + order.id());
        throw new Declined("no money for " + order.total());
      }
      done.add("charge " + order.id() + " by " + key);
      charged.countDown();
    }

    @Override
    public String ship(Order order) {
      done.add("ship " + order.id());
      return "parcel of " + order.id();
    }
  }
}
