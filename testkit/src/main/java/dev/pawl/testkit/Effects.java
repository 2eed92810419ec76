package dev.pawl.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a program under test has done to the world. The fakes of a test write here what the real
 * things would have done: a charge, a mail, a parcel. Thread-safe.
 *
 * <pre>{@code
 * void charge(Order order, String key) {
 *   effects.addOnce(key, "charged " + order.id());
 * }
 * }</pre>
 */
public final class Effects {
  private final List<Effect> effects = new ArrayList<>();

  /** One effect, and the step in whose body it happened. */
  record Effect(String what, Optional<String> key, String step) {}

  /** Notes an effect that happens as often as it is asked for. */
  public void add(String what) {
    note(new Effect(what, Optional.empty(), StepWatch.current()));
  }

  /**
   * Notes an effect that happens once to a key, as with a service that takes idempotency keys.
   *
   * @return whether this was the first time
   */
  public boolean addOnce(String key, String what) {
    return note(new Effect(what, Optional.of(key), StepWatch.current()));
  }

  private synchronized boolean note(Effect effect) {
    boolean first =
        effect.key().isEmpty() || effects.stream().noneMatch(e -> e.key().equals(effect.key()));
    effects.add(effect);
    return first;
  }

  /** What has happened, in order: of effects with the same key the first. */
  public List<String> all() {
    return counted().stream().map(Effect::what).toList();
  }

  /** How often this has happened. */
  public int count(String what) {
    return (int) all().stream().filter(what::equals).count();
  }

  /** The effects that count. */
  synchronized List<Effect> counted() {
    Map<String, Effect> keyed = new LinkedHashMap<>();
    List<Effect> counted = new ArrayList<>();
    for (Effect effect : effects) {
      if (effect.key().isEmpty() || keyed.putIfAbsent(effect.key().get(), effect) == null) {
        counted.add(effect);
      }
    }
    return counted;
  }

  /** The effects that were asked for under a key that had been used for something else. */
  synchronized List<Effect> mistaken() {
    Map<String, Effect> keyed = new LinkedHashMap<>();
    List<Effect> mistaken = new ArrayList<>();
    for (Effect effect : effects) {
      Effect first = effect.key().map(key -> keyed.putIfAbsent(key, effect)).orElse(null);
      if (first != null && !first.what().equals(effect.what())) {
        mistaken.add(effect);
      }
    }
    return mistaken;
  }

  @Override
  public String toString() {
    return all().toString();
  }
}
