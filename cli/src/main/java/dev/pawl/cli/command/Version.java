package dev.pawl.cli.command;

import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;

/** {@code pawl version}. */
final class Version implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("version", "Print the version of Pawl, and of the JVM it runs on.");
  }

  @Override
  public int run(Session session, Arguments given) {
    if (session.isJson()) {
      session.print(new JsonLine().put("version", number()).put("java", java()));
    } else {
      session.out().println("pawl " + number() + " on Java " + java());
    }
    return ExitCode.OK;
  }

  /** As the build wrote it into the jar. */
  private static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  private static String java() {
    return Runtime.version().toString();
  }
}
