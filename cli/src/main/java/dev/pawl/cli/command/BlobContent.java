package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** {@code pawl blob}. */
final class BlobContent implements Command {
  @Override
  public Syntax syntax() {
    return Syntax.of(
            "blob",
            """
            Print the content that a result or a log refers to by its SHA-256: an output that is too
            large to stand there. It is checked while it is read.
            """)
        .parameter("SHA256", "The hash, in 64 digits")
        .option("--out -o", "FILE", "Where to. Default: standard output")
        .notes(
            """
            Examples:
              pawl blob 2f77668a9dfbf8d5848b9eeb4a7145ca94c6ed9236e4a773f6dcafa5132b2f91 --out film.mp4

            With PAWL_BLOBS=file:/DIRECTORY blobs are kept there, and not in the store.
            """);
  }

  @Override
  public int run(Session session, Arguments given) throws IOException {
    Optional<String> file = given.value("--out");
    try (Pawl pawl = session.open();
        InputStream content = pawl.blobs().open(given.parameter("SHA256"))) {
      if (file.isPresent()) {
        Files.copy(content, Path.of(file.get()));
        session.out().println(file.get());
      } else {
        content.transferTo(session.out());
      }
    }
    return ExitCode.OK;
  }
}
