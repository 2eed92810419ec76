package dev.pawl.examples;

import static java.time.Duration.ofDays;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.RunHandle;
import dev.pawl.examples.Refund.Claim;
import dev.pawl.examples.Refund.Office;
import dev.pawl.flow.Flow;
import dev.pawl.testkit.CrashReport;
import dev.pawl.testkit.CrashSweep;
import dev.pawl.testkit.Effects;
import dev.pawl.testkit.PawlTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RefundTest {
  // snippet:office
  /** An office that writes down what it is asked to do. */
  record FakeOffice(Effects effects) implements Office {
    @Override
    public int nextNumber() {
      effects.add("number taken");
      return effects.count("number taken");
    }

    @Override
    public int nextNumber(String key) {
      effects.addOnce(key, "number taken");
      return effects.count("number taken");
    }

    @Override
    public void transfer(String customer, int cents) {
      effects.add(cents + " to " + customer);
    }

    @Override
    public void transfer(String customer, int cents, String key) {
      effects.addOnce(key, cents + " to " + customer);
    }

    @Override
    public void mail(String customer, String text, String key) {
      effects.addOnce(key, "mail to " + customer);
    }
  }

  // end

  // snippet:sweep
  @Test
  void theNaiveRefundPaysTwice() {
    CrashReport report =
        CrashSweep.of(effects -> Refund.naive(new FakeOffice(effects)))
            .input(new Claim("ada", 1200))
            .run();

    System.out.println(report);
    assertThat(report.step("transfer").flagged()).isTrue();
  }

  // end

  @Test
  void theReportTellsWhatIsWrongWithIt() {
    CrashReport report =
        CrashSweep.of(effects -> Refund.naive(new FakeOffice(effects)))
            .input(new Claim("ada", 1200))
            .run();

    assertThat(report.toString())
        .contains("transfer: '1200 to ada' happened 2 times instead of once")
        .contains("(outside of any step): 'number taken' happened")
        .contains("end: it ended otherwise");
    assertThat(report.step("mail").flagged()).isFalse();
  }

  // snippet:sound
  @Test
  void theSoundRefundPaysOnceWheneverItIsKilled() {
    CrashSweep.of(effects -> Refund.sound(new FakeOffice(effects)))
        .input(new Claim("ada", 1200))
        .run()
        .assertSound();
  }

  // end

  // snippet:days
  @Test
  void theMailGoesOutThreeDaysLater() {
    Effects effects = new Effects();
    Flow<Claim, Integer> refund = Refund.sound(new FakeOffice(effects));
    try (PawlTest pawl = PawlTest.of(refund).replayEveryStep()) {
      RunHandle<Integer> run = pawl.start(refund, new Claim("ada", 1200));

      pawl.advance(ofDays(2));
      assertThat(effects.all()).doesNotContain("mail to ada");

      assertThat(pawl.result(run)).isEqualTo(1);
      assertThat(effects.all()).containsExactly("number taken", "1200 to ada", "mail to ada");
      pawl.log(run).assertSteps("number", "transfer", "mail").assertSucceeded();
    }
  }
  // end
}
