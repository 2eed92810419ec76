package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.error.PawlException;
import dev.pawl.store.sql.postgres.PostgresProvider;
import dev.pawl.store.sql.postgres.PostgresStore;

/** {@code pawl migrate}. */
final class Migrate implements Command {
  private static final String DRY_RUN = "--dry-run";

  @Override
  public Syntax syntax() {
    return Syntax.of(
            "migrate",
            """
            Make the tables of a store, or bring them up to date. Everything that opens a store
            does so by itself; this is for those who want it done at a moment of their own, or by
            their database's administrator.
            """)
        .flag(DRY_RUN, "Print the SQL that is missing, and execute nothing (Postgres)")
        .notes(
            """
            Example:
              pawl migrate --dry-run --store postgres://me@db/orders > pawl.sql
              psql -1 -f pawl.sql
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    String url = session.storeUrl();
    if (given.has(DRY_RUN)) {
      String missing = missingSchema(url);
      if (session.isJson()) {
        session.print(new JsonLine().put("upToDate", missing.isEmpty()).put("sql", missing));
      } else if (missing.isEmpty()) {
        session.note("nothing is missing");
      } else {
        session.out().print(missing);
      }
      return ExitCode.OK;
    }
    try (Pawl pawl = session.openOrMake()) {
      if (session.isJson()) {
        session.print(new JsonLine().put("upToDate", true));
      } else {
        session.out().println("up to date; " + pawl.store().durability());
      }
    }
    return ExitCode.OK;
  }

  private static String missingSchema(String url) {
    if (new PostgresProvider().accepts(url)) {
      return PostgresStore.missingSchema(url);
    }
    throw PawlException.unsupported(
        "the SQL of '"
            + url
            + "' cannot be printed: only a Postgres schema is ever made by others; a SQLite file"
            + " is brought up to date by whoever opens it");
  }
}
