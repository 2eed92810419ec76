package dev.pawl.cli.command;

import dev.pawl.cli.demo.Shop;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.io.IOException;
import java.nio.file.Path;

/** The worker process of {@code pawl demo}. */
final class DemoWorker implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of("demo-worker", "Be the worker of 'pawl demo'.")
        .parameter("LEDGER", "The file of the world outside");
  }

  @Override
  public int run(Session session, Arguments given) throws IOException {
    Shop.work(session.storeUrl(), Path.of(given.parameter("LEDGER")));
    return ExitCode.OK;
  }
}
