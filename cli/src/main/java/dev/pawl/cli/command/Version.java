package dev.pawl.cli.command;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Print the version of Pawl, and of the JVM it runs on.")
final class Version implements Callable<Integer> {
  private final Session session;

  Version(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
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
