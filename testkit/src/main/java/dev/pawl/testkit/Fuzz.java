package dev.pawl.testkit;

import dev.pawl.time.Chance;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Throws broken texts at something and waits for anything but a clear answer. Starts from texts
 * that are fine, and cuts, repeats, swaps and mixes their pieces. The same seed gives the same
 * texts.
 */
public final class Fuzz {
  private static final long SEED = Long.getLong("pawl.fuzz.seed", 1);

  private final Chance chance;
  private final List<String> fine;
  private final List<String> pieces;

  /** An input that something did not bear. */
  public record Finding(String input, Throwable thrown) {
    @Override
    public String toString() {
      return input + "\n-> " + thrown;
    }
  }

  /**
   * Broken texts from a seed.
   *
   * @param fine texts to start from
   * @param pieces what to put in between
   */
  public Fuzz(long seed, List<String> fine, List<String> pieces) {
    this.chance = Chance.seeded(seed);
    this.fine = List.copyOf(fine);
    this.pieces = List.copyOf(pieces);
  }

  /** As the system property {@code pawl.fuzz.seed} says, else from the same seed each time. */
  public static Fuzz of(List<String> fine, List<String> pieces) {
    return new Fuzz(SEED, fine, pieces);
  }

  /** How many texts to try: so many, unless {@code -Dpawl.fuzz.tries=N} says otherwise. */
  public static int tries(int usual) {
    return Integer.getInteger("pawl.fuzz.tries", usual);
  }

  /** Tries so many; returns the first that made the target throw, if any did. */
  public Optional<Finding> hunt(int tries, Consumer<String> target) {
    for (int i = 0; i < tries; i++) {
      String input = next();
      try {
        target.accept(input);
      } catch (RuntimeException | Error e) {
        return Optional.of(new Finding(input, e));
      }
    }
    return Optional.empty();
  }

  /** The next broken text. */
  public String next() {
    StringBuilder text = new StringBuilder(pick(fine));
    for (int changes = 1 + chance.below(6); changes > 0; changes--) {
      change(text, chance.below(text.length() + 1));
    }
    return text.toString();
  }

  private void change(StringBuilder text, int at) {
    switch (chance.below(7)) {
      case 0 -> text.insert(at, pick(pieces));
      case 1 -> text.delete(at, Math.min(text.length(), at + 1 + chance.below(8)));
      case 2 -> text.setLength(at);
      case 3 -> text.insert(at, pick(pieces).repeat(1 + chance.below(40)));
      case 4 -> text.insert(at, cut(pick(fine), 60));
      case 5 -> text.insert(chance.below(text.length() + 1), cut(text.toString(), 40));
      default -> {
        if (at < text.length()) {
          text.setCharAt(at, (char) chance.below(chance.below(4) == 0 ? 0x10000 : 128));
        }
      }
    }
  }

  private String cut(String text, int length) {
    int from = chance.below(text.length() + 1);
    return text.substring(from, Math.min(text.length(), from + chance.below(length + 1)));
  }

  private String pick(List<String> list) {
    return list.get(chance.below(list.size()));
  }
}
