package dev.pawl.cli.command;

import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.GlobalOptions;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code pawl} without a command: what stands before every command, and the overview. */
@Command(name = "pawl")
public final class Root implements Callable<Integer> {
  private final Session session;

  @Mixin final GlobalOptions options;

  public Root(Session session, GlobalOptions options) {
    this.session = session;
    this.options = options;
  }

  @Override
  public Integer call() {
    Help.overview(session.out());
    return ExitCode.OK;
  }
}
