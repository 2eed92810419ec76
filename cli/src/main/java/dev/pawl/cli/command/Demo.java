package dev.pawl.cli.command;

import dev.pawl.cli.demo.Demonstration;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.io.IOException;

/** {@code pawl demo}. */
final class Demo implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "demo",
            """
            See it survive: a worker process and a dozen checkouts on a temporary file. The worker
            is killed with SIGKILL in the middle, another one takes over, and every order is
            charged once and shipped once. Takes some ten seconds.
            """)
        .notes("Exits with 1 if the promise was not kept. The store stays, so that you can look.");
  }

  @Override
  public int run(Session session, Arguments given) throws IOException, InterruptedException {
    return Demonstration.run(session);
  }
}
