package dev.pawl.cli.session;

import dev.pawl.Pawl;
import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.syntax.Arguments;
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
  private static final String DEFAULT_STORE = SQLITE + "pawl.db";

  private final Terminal terminal;
  private final Arguments given;

  public Session(Terminal terminal, Arguments given) {
    this.terminal = terminal;
    this.given = given;
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
    return given.has("--json");
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
    return !given.has("--no-color")
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
    String named = terminal.env().getOrDefault("PAWL_STORE", "");
    return given.value("--store").orElse(named.isBlank() ? DEFAULT_STORE : named);
  }

  /** Whether somebody said where the runs live. */
  public boolean isStoreChosen() {
    return given.has("--store") || !terminal.env().getOrDefault("PAWL_STORE", "").isBlank();
  }

  /** The store's address as it is understood from any directory. */
  public String absoluteStoreUrl() {
    String url = storeUrl();
    return isFile(url) ? SQLITE + file(url).toAbsolutePath() + query(url) : url;
  }

  /** Where blobs are kept; empty for the store itself. */
  public String blobsUrl() {
    return terminal.env().getOrDefault("PAWL_BLOBS", "");
  }

  /** Opens the store, and makes it if it is not there. */
  public Pawl openOrMake() {
    return Pawl.open(storeUrl(), blobsUrl());
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
    return Pawl.open(url, blobsUrl());
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
