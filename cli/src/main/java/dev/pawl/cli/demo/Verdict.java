package dev.pawl.cli.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What came of it, decided from the logs and from what the world outside has written down.
 *
 * @param interrupted the orders that a worker had when it was killed
 * @param repeated requests that came in a second time, and were not carried out again
 */
record Verdict(
    int orders,
    long shippedOnce,
    long chargedOnce,
    List<Orders.View> interrupted,
    List<Ledger.Line> repeated,
    Optional<Duration> recovery) {

  static Verdict of(
      List<Orders.View> orders,
      List<Orders.View> atCrash,
      List<Ledger.Line> ledger,
      Instant crash) {
    List<String> interrupted =
        atCrash.stream().filter(Orders.View::isRunning).map(Orders.View::name).toList();
    List<Orders.View> hit =
        orders.stream().filter(order -> interrupted.contains(order.name())).toList();
    return new Verdict(
        orders.size(),
        orders.stream()
            .filter(order -> order.isDone() && times("ship", order.name(), ledger) == 1)
            .count(),
        orders.stream().filter(order -> times("charge", order.name(), ledger) == 1).count(),
        hit,
        ledger.stream().filter(line -> !line.done()).toList(),
        hit.stream()
            .flatMap(order -> order.takenAfter(crash).stream())
            .max(Instant::compareTo)
            .map(last -> Duration.between(crash, last)));
  }

  private static long times(String what, String order, List<Ledger.Line> ledger) {
    return ledger.stream()
        .filter(line -> line.what().equals(what) && line.order().equals(order) && line.done())
        .count();
  }

  boolean isKept() {
    return shippedOnce == orders && chargedOnce == orders;
  }
}
