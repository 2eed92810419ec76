package dev.pawl.cli.command;

import dev.pawl.Pawl;
import dev.pawl.cli.inspect.Gist;
import dev.pawl.cli.inspect.Standing;
import dev.pawl.cli.json.RunJson;
import dev.pawl.cli.session.CommandException;
import dev.pawl.cli.session.ExitCode;
import dev.pawl.cli.session.RunAddress;
import dev.pawl.cli.session.Session;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "ls",
    description = "List runs, newest first.",
    footer = {
      "",
      "Examples:",
      "  pawl ls --status failed,suspended --type 'shop.%%'",
      "  pawl ls --after 0197a3c2-5f60-7cc1-8d6e-3b1f0a9e4c55      the next page",
      "  pawl ls --json --limit 1000 | jq -r 'select(.attempt > 1) | .id'",
      "",
      "JSON: id type status key priority attempt maxAttempts createdAt updatedAt due",
      "finishedAt deadline lease{worker,until} cancelling parent forkedFrom error tags;",
      "what is empty is left out. With --full also payload and result."
    })
final class Ls implements Callable<Integer> {
  private final Session session;

  @Option(
      names = {"-s", "--status"},
      paramLabel = "STATUS",
      split = ",",
      description =
          "Only pending, running, suspended, succeeded, failed, cancelled; several with commas.")
  private List<String> statuses = new ArrayList<>();

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      description = "Only this type, or types that begin with 'shop.%%'.")
  private Optional<String> type = Optional.empty();

  @Option(names = "--parent", paramLabel = "RUN", description = "Only children of this run.")
  private Optional<String> parent = Optional.empty();

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many, at most " + Query.MAX_LIMIT + ". Default: ${DEFAULT-VALUE}.")
  private int limit = 50;

  @Option(names = "--after", paramLabel = "RUN", description = "Go on behind this run.")
  private Optional<String> after = Optional.empty();

  @Option(names = "--full", description = "With --json: payload and result too.")
  private boolean full;

  Ls(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    if (limit < 1 || limit > Query.MAX_LIMIT) {
      throw CommandException.usage("--limit is 1 to " + Query.MAX_LIMIT + ", not " + limit);
    }
    Query query =
        Query.all()
            .withStatus(
                statuses.stream()
                    .map(String::strip)
                    .map(Status::parse)
                    .distinct()
                    .toArray(Status[]::new))
            .withLimit(limit);
    type.ifPresent(Ls::checkPattern);
    Query typed = type.isPresent() ? query.withType(type.get()) : query;
    try (Pawl pawl = session.open()) {
      Query placed =
          after.isEmpty() ? typed : typed.withAfter(RunAddress.find(pawl, after.get()).id());
      Query narrowed =
          parent.isEmpty() ? placed : placed.withParent(RunAddress.find(pawl, parent.get()).id());
      print(pawl.list(narrowed), pawl.store().now());
    }
    return ExitCode.OK;
  }

  private static void checkPattern(String pattern) {
    if (Routes.isPrefix(pattern)) {
      Routes.prefix(pattern);
    } else {
      Names.checkType(pattern);
    }
  }

  private void print(List<Run> runs, Instant now) {
    if (session.isJson()) {
      runs.forEach(run -> session.print(full ? RunJson.whole(run) : RunJson.summary(run)));
      return;
    }
    if (runs.isEmpty()) {
      session.note("no runs");
      return;
    }
    session.print(table(runs, now).lines("", session.paint()));
    if (runs.size() == limit) {
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
