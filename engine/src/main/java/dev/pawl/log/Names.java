package dev.pawl.log;

import dev.pawl.error.PawlException;

/** The rule for every name a user gives: types, steps, signals, topics, keys, tags. */
public final class Names {
  public static final int MAX_CHARS = 200;

  private Names() {}

  /**
   * Returns the name if it has 1 to 200 characters, none of them a control character or half a
   * surrogate pair.
   *
   * @param what what is being named, for the message: "a step name"
   */
  public static String check(String what, String name) {
    if (name.isEmpty()) {
      throw PawlException.badInput(what + " must not be empty");
    }
    if (name.length() > MAX_CHARS) {
      throw PawlException.badInput(
          what
              + " has at most "
              + MAX_CHARS
              + " characters, this one has "
              + name.length()
              + ": "
              + name.substring(0, 40)
              + "…");
    }
    for (int i = 0; i < name.length(); i++) {
      int c = name.codePointAt(i);
      if (Character.isISOControl(c)
          || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
        throw PawlException.badInput(
            "%s has a character that cannot be stored (U+%04X at position %d)"
                .formatted(what, c, i));
      }
      if (Character.isSupplementaryCodePoint(c)) {
        i++;
      }
    }
    return name;
  }

  /**
   * A type's name: as {@link #check}, and without {@code %}, which is kept for prefixes, and
   * without white space.
   */
  public static String checkType(String type) {
    check("a type", type);
    for (int i = 0; i < type.length(); i++) {
      if (type.charAt(i) == '%' || Character.isWhitespace(type.charAt(i))) {
        throw PawlException.badInput(
            "the type '"
                + type
                + "' has a '"
                + type.charAt(i)
                + "' in it; a type looks like billing.invoice.send.v1");
      }
    }
    return type;
  }
}
