package dev.pawl.testkit;

import dev.pawl.json.JsonCodec;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.History;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run's log, for a test to look at. What does not hold is said with the whole log. Immutable: it
 * is the log as it stood when it was asked for.
 *
 * @param entries every entry, in order
 */
public record RunLog(List<Entry> entries) {
  public RunLog {
    entries = List.copyOf(entries);
  }

  /** The steps on record that have a result, in order; {@code name#2} for the third use. */
  public List<String> steps() {
    return counted().stream()
        .filter(Event.StepCompleted.class::isInstance)
        .map(Event.StepCompleted.class::cast)
        .map(done -> label(done.name(), done.n()))
        .toList();
  }

  /** What kinds of entries there are, in order: {@code created}, {@code leased} and so on. */
  public List<String> kinds() {
    return entries.stream().map(entry -> EventCodec.kind(entry.event())).toList();
  }

  /** What a step has returned. */
  public <T> @Nullable T value(String step, Class<T> type) {
    Event.StepCompleted done =
        counted().stream()
            .filter(Event.StepCompleted.class::isInstance)
            .map(Event.StepCompleted.class::cast)
            .filter(event -> label(event.name(), event.n()).equals(step))
            .findFirst()
            .orElseThrow(() -> broken("step '" + step + "' should have a result"));
    return JsonCodec.decode(done.value(), type);
  }

  /** How often a step has failed before it came to an end. */
  public int failures(String step) {
    return (int)
        counted().stream()
            .filter(event ->
                event instanceof Event.StepFailed failed
                    && label(failed.name(), failed.n()).equals(step))
            .count();
  }

  /** The lines that the program wrote for people. */
  public List<String> lines() {
    return counted().stream()
        .filter(Event.Logged.class::isInstance)
        .map(event -> ((Event.Logged) event).message())
        .toList();
  }

  /** From the creation of the run to its last entry, by the store's clock. */
  public Duration length() {
    return Duration.between(entries.getFirst().at(), entries.getLast().at());
  }

  /** These steps have a result, in this order, and no others. */
  public RunLog assertSteps(String... names) {
    return check(steps().equals(List.of(names)), "its steps should be " + List.of(names));
  }

  /** No step of this name has a result. */
  public RunLog assertNoStep(String name) {
    return check(!steps().contains(name), "step '" + name + "' should not have run");
  }

  /** There are entries of these kinds in this order, possibly with others in between. */
  public RunLog assertInOrder(String... kinds) {
    int found = 0;
    for (String kind : kinds()) {
      found += found < kinds.length && kind.equals(kinds[found]) ? 1 : 0;
    }
    return check(
        found == kinds.length,
        "there should be, in this order, "
            + List.of(kinds)
            + "; number "
            + (found + 1)
            + " is not");
  }

  public RunLog assertSucceeded() {
    return check(end().orElse(null) instanceof Event.Succeeded, "it should have succeeded");
  }

  /** It failed with this code. */
  public RunLog assertFailed(String code) {
    boolean so =
        end().orElse(null) instanceof Event.Failed failed && failed.failure().code().equals(code);
    return check(so, "it should have failed with " + code);
  }

  public RunLog assertCancelled() {
    return check(end().orElse(null) instanceof Event.Cancelled, "it should be cancelled");
  }

  private Optional<Event> end() {
    return Optional.of(entries.getLast().event()).filter(Event.Terminal.class::isInstance);
  }

  private List<Event> counted() {
    return History.of(entries).entries().stream().map(Entry::event).toList();
  }

  private static String label(String name, int n) {
    return n == 0 ? name : name + "#" + n;
  }

  private RunLog check(boolean holds, String expected) {
    if (!holds) {
      throw broken(expected);
    }
    return this;
  }

  private AssertionError broken(String expected) {
    return new AssertionError(expected + "; this is its log:\n" + this);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Entry entry : entries) {
      text.append("%4d  %s  %s%n".formatted(entry.seq(), entry.at(), entry.event()));
    }
    return text.toString();
  }
}
