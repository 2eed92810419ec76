package dev.pawl.script.lang;

/** A function of the library, known by its name for ever: snapshots hold that name. */
final class Builtin implements Callable {
  /** What a function of the library does with its arguments. */
  interface Body {
    /** The result, or {@link Machine#CALLED} if a frame was pushed that will give it. */
    Object call(Machine machine, Arguments arguments);
  }

  private final String name;
  final Body body;

  Builtin(String name, Body body) {
    this.name = name;
    this.body = body;
  }

  @Override
  public String name() {
    return name;
  }
}
