package dev.pawl.cli.demo;

import dev.pawl.cli.session.Session;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.cli.terminal.Tone;
import dev.pawl.time.Ticker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Shows how far the orders are: a table that is drawn over and over on a screen, a line for each
 * change elsewhere.
 */
final class Board {
  private static final List<String> STEPS = List.of("reserve", "charge", "ship");

  private final Session session;
  private final boolean live;
  private final Ticker ticker = Ticker.system();
  private final long began = ticker.nanos();
  private final Set<String> told = new HashSet<>();
  private int drawn;

  Board(Session session) {
    this.session = session;
    this.live = session.terminal().outIsTty() && session.paint().colours();
  }

  /** Says something that stays. */
  void say(Tone tone, String sentence) {
    if (!session.isJson()) {
      session.out().println(clock() + session.paint().apply(tone, sentence));
      session.out().flush();
      drawn = 0;
    }
  }

  private String clock() {
    return session.paint().apply(Tone.FAINT, "%6s  ".formatted(TimeText.span(ticker.since(began))));
  }

  void show(List<Orders.View> orders) {
    if (session.isJson()) {
      return;
    }
    if (live) {
      draw(orders);
    } else {
      orders.forEach(this::tellChanges);
    }
    session.out().flush();
  }

  private void draw(List<Orders.View> orders) {
    StringBuilder out = new StringBuilder();
    if (drawn > 0) {
      out.append("\u001b[").append(drawn).append('A');
    }
    for (Orders.View order : orders) {
      out.append("\u001b[2K        ").append(order.name());
      STEPS.forEach(step -> out.append("   ").append(cell(order, step)));
      out.append('\n');
    }
    session.out().print(out);
    drawn = orders.size();
  }

  private String cell(Orders.View order, String step) {
    if (order.has(step) || order.isDone()) {
      return session.paint().apply(Tone.GOOD, "✓ " + step);
    }
    boolean next =
        order.isRunning()
            && STEPS.stream().filter(each -> !order.has(each)).findFirst().orElse("").equals(step);
    return session.paint().apply(next ? Tone.BUSY : Tone.FAINT, (next ? "… " : "· ") + step);
  }

  private void tellChanges(Orders.View order) {
    for (String step : STEPS) {
      boolean done = order.has(step) || (order.isDone() && step.equals("ship"));
      if (done && told.add(order.name() + "/" + step)) {
        session.out().println(clock() + order.name() + " " + word(step));
      }
    }
  }

  private static String word(String step) {
    return switch (step) {
      case "reserve" -> "reserved";
      case "charge" -> "charged";
      default -> "shipped";
    };
  }
}
