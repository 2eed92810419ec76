package dev.pawl.examples;

import static java.time.Duration.ofDays;

import dev.pawl.flow.Flow;
import dev.pawl.work.Retry;

/** Paying money back, once as one writes it at first and once as it should be. */
public final class Refund {
  private Refund() {}

  /** What is paid back to whom. */
  public record Claim(String customer, int cents) {}

  /** What the flow needs of the world. */
  public interface Office {
    /** Takes the next number of the books. */
    int nextNumber();

    /** Takes the next number, once to a key. */
    int nextNumber(String key);

    /** Pays; twice, if asked twice. */
    void transfer(String customer, int cents);

    /** Pays, once to a key. */
    void transfer(String customer, int cents, String key);

    /** Writes to the customer, once to a key. */
    void mail(String customer, String text, String key);
  }

  // snippet:naive
  static Flow<Claim, Integer> naive(Office office) {
    return Flow.define(
        "office.refund.v1",
        Claim.class,
        Integer.class,
        (ctx, claim) -> {
          int number = office.nextNumber();
          ctx.step("transfer", () -> office.transfer(claim.customer(), claim.cents()));
          ctx.sleep(ofDays(3));
          ctx.step(
              "mail",
              Retry.standard(),
              step -> office.mail(claim.customer(), "refunded", step.idempotencyKey()));
          return number;
        });
  }

  // end

  // snippet:sound
  static Flow<Claim, Integer> sound(Office office) {
    return Flow.define(
        "office.refund.v2",
        Claim.class,
        Integer.class,
        (ctx, claim) -> {
          Integer number =
              ctx.step(
                  "number",
                  Integer.class,
                  Retry.standard(),
                  step -> office.nextNumber(step.idempotencyKey()));
          ctx.step(
              "transfer",
              Retry.standard(),
              step -> office.transfer(claim.customer(), claim.cents(), step.idempotencyKey()));
          ctx.sleep(ofDays(3));
          ctx.step(
              "mail",
              Retry.standard(),
              step -> office.mail(claim.customer(), "refunded", step.idempotencyKey()));
          return number;
        });
  }
  // end
}
