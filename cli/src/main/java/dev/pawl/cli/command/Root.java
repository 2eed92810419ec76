package dev.pawl.cli.command;

import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.GlobalOptions;
import dev.pawl.cli.session.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code pawl} without a command: what stands before every command, and the overview. */
@Command(name = "pawl")
public final class Root implements Callable<Integer> {
  private final Session session;

  @Mixin private final GlobalOptions options;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Explain the command.")
  private boolean help;

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
