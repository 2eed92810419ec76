package dev.pawl.cli.session;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a person names a run: by its id, by {@code key:KEY}, by the last six or more characters of
 * its id, or as {@code last}, the newest that is no child of another.
 */
public final class RunAddress {
  /** How many of the newest runs are looked through for the end of an id. */
  private static final int LOOKED_THROUGH = 20_000;

  private static final int FULL_ID = 36;
  private static final Pattern ENDING = Pattern.compile("[0-9a-f-]{6,35}");
  private static final String KEY = "key:";

  private RunAddress() {}

  /** The run that is meant, or an exception that says why there is none. */
  public static Run find(Pawl pawl, String address) {
    if (address.equals("last")) {
      return newest(pawl);
    }
    if (address.startsWith(KEY)) {
      String key = address.substring(KEY.length());
      return pawl.findByKey(key)
          .orElseThrow(
              () -> CommandException.missing("there is no run with the key '" + key + "'"));
    }
    if (address.length() == FULL_ID) {
      return pawl.get(RunId.parse(address));
    }
    String ending = address.toLowerCase(Locale.ROOT);
    if (!ENDING.matcher(ending).matches()) {
      throw CommandException.usage(
          "'"
              + address
              + "' does not name a run; give an id, its last 6 or more characters, key:KEY or"
              + " last");
    }
    return byEnding(pawl, ending);
  }

  /** The newest run that was started by itself and not by another one; else the newest of all. */
  private static Run newest(Pawl pawl) {
    List<Run> page = pawl.list(Query.all().withLimit(Query.MAX_LIMIT));
    Run first =
        page.stream()
            .findFirst()
            .orElseThrow(() -> CommandException.missing("there are no runs in this store yet"));
    for (int seen = 0; !page.isEmpty() && seen < LOOKED_THROUGH; seen += page.size()) {
      Optional<Run> own = page.stream().filter(run -> run.parent().isEmpty()).findFirst();
      if (own.isPresent()) {
        return own.get();
      }
      page = pawl.list(Query.all().withLimit(Query.MAX_LIMIT).withAfter(page.getLast().id()));
    }
    return first;
  }

  private static Run byEnding(Pawl pawl, String ending) {
    List<Run> found = new ArrayList<>();
    Query query = Query.all().withLimit(Query.MAX_LIMIT);
    int seen = 0;
    List<Run> page = pawl.list(query);
    while (!page.isEmpty() && seen < LOOKED_THROUGH) {
      page.stream().filter(run -> run.id().toString().endsWith(ending)).forEach(found::add);
      seen += page.size();
      page = pawl.list(query.withAfter(page.getLast().id()));
    }
    if (found.size() == 1) {
      return found.getFirst();
    }
    throw found.isEmpty() ? none(ending, seen) : several(ending, found);
  }

  private static CommandException none(String ending, int seen) {
    return CommandException.missing(
        "no run's id ends in '"
            + ending
            + "'"
            + (seen >= LOOKED_THROUGH ? " among the newest " + seen + "; give the full id" : ""));
  }

  private static CommandException several(String ending, List<Run> found) {
    return CommandException.usage(
        found.size()
            + " runs have an id that ends in '"
            + ending
            + "', "
            + found.get(0).id()
            + " and "
            + found.get(1).id()
            + " among them; give more of it");
  }
}
