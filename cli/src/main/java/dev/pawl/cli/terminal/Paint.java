package dev.pawl.cli.terminal;

/** Colours text, or leaves it as it is. */
public record Paint(boolean colours) {
  public String apply(Tone tone, String text) {
    return colours ? tone.paint(text) : text;
  }
}
