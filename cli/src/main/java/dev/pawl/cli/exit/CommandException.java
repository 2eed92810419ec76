package dev.pawl.cli.exit;

/** The command cannot go on. The message is one sentence for the person who typed it. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final int exit;

  private CommandException(String code, int exit, String message) {
    super(message);
    this.code = code;
    this.exit = exit;
  }

  public static CommandException usage(String message) {
    return new CommandException("BAD_INPUT", ExitCode.USAGE, message);
  }

  public static CommandException badData(String message) {
    return new CommandException("BAD_JSON", ExitCode.DATA, message);
  }

  public static CommandException tooLarge(String message) {
    return new CommandException("TOO_LARGE", ExitCode.DATA, message);
  }

  public static CommandException missing(String message) {
    return new CommandException("NOT_FOUND", ExitCode.NO_INPUT, message);
  }

  public static CommandException taken(String message) {
    return new CommandException("CONFLICT", ExitCode.CANNOT_CREATE, message);
  }

  public static CommandException unreadable(String message) {
    return new CommandException("IO", ExitCode.IO, message);
  }

  public static CommandException forbidden(String message) {
    return new CommandException("NO_PERMISSION", ExitCode.NO_PERMISSION, message);
  }

  /** What Pawl promises did not come true. */
  public static CommandException unkept(String message) {
    return new CommandException("FAILED", ExitCode.FAILED, message);
  }

  /** The stable word for it. */
  public String code() {
    return code;
  }

  public int exit() {
    return exit;
  }
}
