package dev.pawl.cli.terminal;

/** What a piece of text means, and so how it is coloured where there are colours. */
public enum Tone {
  PLAIN(""),
  STRONG("1"),
  FAINT("2"),
  GOOD("32"),
  BUSY("36"),
  WAITING("34"),
  WARNING("33"),
  BAD("31");

  private final String code;

  Tone(String code) {
    this.code = code;
  }

  String paint(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
