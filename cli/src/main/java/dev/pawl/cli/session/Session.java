package dev.pawl.cli.session;

import dev.pawl.Pawl;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.terminal.Paint;
import dev.pawl.cli.terminal.Terminal;
import dev.pawl.cli.terminal.Tone;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** One command being carried out: its streams, its global options and the store they name. */
public final class Session {
  private static final String SQLITE = "sqlite:";

  private final Terminal terminal;
  private final GlobalOptions options;

  public Session(Terminal terminal, GlobalOptions options) {
    this.terminal = terminal;
    this.options = options;
  }

  public Terminal terminal() {
    return terminal;
  }

  public PrintStream out() {
    return terminal.out();
  }

  public PrintStream err() {
    return terminal.err();
  }

  /** Whether a program reads the output. */
  public boolean isJson() {
    return options.json;
  }

  public boolean isDebug() {
    return options.debug || terminal.env().getOrDefault("PAWL_DEBUG", "").equals("1");
  }

  /** The colours of standard output. */
  public Paint paint() {
    return new Paint(terminal.outIsTty() && mayColour());
  }

  /** The colours of standard error. */
  public Paint errorPaint() {
    return new Paint(terminal.errIsTty() && mayColour());
  }

  private boolean mayColour() {
    return !options.noColor
        && terminal.env().getOrDefault("NO_COLOR", "").isEmpty()
        && !terminal.env().getOrDefault("TERM", "").equals("dumb");
  }

  public void print(JsonLine object) {
    out().println(object.text());
  }

  public void print(List<String> lines) {
    lines.forEach(out()::println);
  }

  /** Says something to the person, beside the output proper; programs are spared it. */
  public void note(String sentence) {
    if (!isJson()) {
      err().println(errorPaint().apply(Tone.FAINT, sentence));
    }
  }

  // ---- the store ----

  public String storeUrl() {
    return options.store(terminal.env());
  }

  /** The store's address as it is understood from any directory. */
  public String absoluteStoreUrl() {
    String url = storeUrl();
    return isFile(url) ? SQLITE + file(url).toAbsolutePath() + query(url) : url;
  }

  /** Opens the store, and makes it if it is not there. */
  public Pawl openOrMake() {
    return Pawl.open(storeUrl());
  }

  /** Opens a store that must be there: a mistyped name should not leave an empty file behind. */
  public Pawl open() {
    String url = storeUrl();
    if (isFile(url) && !Files.exists(file(url))) {
      throw CommandException.missing(
          "there is no store at "
              + file(url)
              + "; 'pawl start' makes one, --store or PAWL_STORE names another");
    }
    return Pawl.open(url);
  }

  private static boolean isFile(String url) {
    return url.startsWith(SQLITE)
        && !url.startsWith(SQLITE + ":")
        && url.length() > SQLITE.length();
  }

  private static Path file(String url) {
    String path = url.substring(SQLITE.length());
    int query = path.indexOf('?');
    try {
      return Path.of(query < 0 ? path : path.substring(0, query));
    } catch (InvalidPathException e) {
      throw CommandException.usage("'" + url + "' names no file: " + e.getReason());
    }
  }

  private static String query(String url) {
    int query = url.indexOf('?');
    return query < 0 ? "" : url.substring(query);
  }
}
