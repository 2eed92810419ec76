package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.time.Platform;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NudgesTest {
  private static final long LONG = TimeUnit.DAYS.toMillis(1);

  private final Nudges<String> nudges = new Nudges<>(Platform.system(), "look");

  @AfterEach
  void close() {
    nudges.close();
  }

  private CompletableFuture<String> after(long millis) {
    CompletableFuture<String> wait = new CompletableFuture<>();
    nudges.after(millis, wait);
    return wait;
  }

  private static String soon(CompletableFuture<String> wait) throws Exception {
    return wait.get(1, TimeUnit.MINUTES);
  }

  @Test
  void whoeverWaitsIsNudged() throws Exception {
    assertThat(soon(after(1))).isEqualTo("look");
    assertThat(soon(after(0))).isEqualTo("look");
  }

  @Test
  void whoeverIsToBeSoonerIsSooner() throws Exception {
    CompletableFuture<String> late = after(LONG);
    assertThat(soon(after(1))).isEqualTo("look");
    assertThat(late).isNotDone();
  }

  @Test
  void aWaitThatIsOverIsLeftAlone() throws Exception {
    CompletableFuture<String> over = after(1);
    over.complete("the end");
    assertThat(soon(after(1))).isEqualTo("look");
    assertThat(over).isCompletedWithValue("the end");
  }

  @Test
  void manyAreNudgedInTheOrderOfTheirTimes() throws Exception {
    CompletableFuture<String> third = after(30);
    CompletableFuture<String> first = after(10);
    CompletableFuture<String> second = after(20);
    assertThat(soon(third)).isEqualTo("look");
    assertThat(first).isDone();
    assertThat(second).isDone();
  }

  @Test
  void closingNudgesEverybodyAndWhoeverStillComes() {
    CompletableFuture<String> before = after(LONG);
    nudges.close();
    assertThat(before).isCompletedWithValue("look");
    assertThat(after(LONG)).isCompletedWithValue("look");
  }
}
