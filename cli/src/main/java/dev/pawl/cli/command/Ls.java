package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.ExitCode;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.inspect.Standing;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
import dev.pawl.cli.syntax.Arguments;
import dev.pawl.cli.syntax.Syntax;
import dev.pawl.cli.terminal.Table;
import dev.pawl.cli.terminal.Table.Cell;
import dev.pawl.cli.terminal.Text;
import dev.pawl.cli.terminal.TimeText;
import dev.pawl.log.Names;
import dev.pawl.log.Run;
import dev.pawl.log.Status;
import dev.pawl.store.Query;
import dev.pawl.store.Routes;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** {@code pawl ls}. */
final class Ls implements Command {
  private static final int USUAL_LIMIT = 50;

  @Override
  public Syntax syntax() {
    return Syntax.of("ls", "List runs, newest first.")
        .repeatable(
            "--status -s",
            "STATUS",
            "Only pending, running, suspended, succeeded, failed or cancelled; several with commas")
        .option("--type -t", "TYPE", "Only this type, or all that begin with PREFIX: 'shop.%'")
        .option("--parent", "RUN", "Only children of this run")
        .option(
            "--limit -n", "N", "How many, at most " + Query.MAX_LIMIT + ". Default: " + USUAL_LIMIT)
        .option("--after", "RUN", "Go on behind this run: the next page")
        .flag("--full", "With --json: payload and result too")
        .notes(
            """
            Examples:
              pawl ls --status failed,suspended --type 'shop.%'
              pawl ls --after 0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55
              pawl ls --json --limit 1000 | jq -r 'select(.attempt > 1) | .id'

            JSON, one object per run: id type status key priority attempt maxAttempts createdAt
            updatedAt due finishedAt deadline ttl expiresAt lease{worker,until} cancelling parent
            forkedFrom error tags; what is empty is left out.
            """);
  }

  @Override
  public int run(Session session, Arguments given) {
    Query filter = filter(given);
    try (Pawl pawl = session.open()) {
      Query query = placed(pawl, filter, given);
      List<Run> runs = pawl.list(query);
      if (session.isJson()) {
        boolean full = given.has("--full");
        runs.forEach(run -> session.print(full ? RunJson.whole(run) : RunJson.summary(run)));
      } else {
        print(session, runs, pawl.store().now(), runs.size() == query.limit());
      }
    }
    return ExitCode.OK;
  }

  private static Query filter(Arguments given) {
    Status[] statuses =
        given.values("--status").stream()
            .flatMap(words -> Stream.of(words.split(",")))
            .map(word -> Status.parse(word.strip()))
            .distinct()
            .toArray(Status[]::new);
    Query query =
        Query.all()
            .withStatus(statuses)
            .withLimit(given.number("--limit", 1, Query.MAX_LIMIT).orElse(USUAL_LIMIT));
    given.value("--type").ifPresent(Ls::checkPattern);
    return given.value("--type").map(query::withType).orElse(query);
  }

  private static void checkPattern(String pattern) {
    if (Routes.isPrefix(pattern)) {
      Routes.prefix(pattern);
    } else {
      Names.checkType(pattern);
    }
  }

  private static Query placed(Pawl pawl, Query filter, Arguments given) {
    Query query = filter;
    if (given.has("--after")) {
      query = query.withAfter(RunAddress.find(pawl, given.value("--after").orElse("")).id());
    }
    if (given.has("--parent")) {
      query = query.withParent(RunAddress.find(pawl, given.value("--parent").orElse("")).id());
    }
    return query;
  }

  private static void print(Session session, List<Run> runs, Instant now, boolean more) {
    if (runs.isEmpty()) {
      session.note("no runs");
      return;
    }
    session.print(table(runs, now).lines("", session.paint()));
    if (more) {
      session.note("there may be more: pawl ls --after " + runs.getLast().id());
    }
  }

  private static Table table(List<Run> runs, Instant now) {
    Table table = new Table("RUN", "STATUS", "TYPE", "KEY", "CREATED", "");
    for (Run run : runs) {
      table.row(
          Cell.of(run.id().toString()),
          new Cell(run.status().word(), Gist.tone(run.status())),
          Cell.of(Text.oneLine(run.type())),
          Cell.of(run.key().map(key -> Text.shorten(key, 40)).orElse("")),
          Cell.faint(TimeText.relative(run.createdAt(), now)),
          Cell.of(Standing.of(run, now)));
    }
    return table;
  }
}
