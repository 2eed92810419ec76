package dev.pawl.script;

import dev.pawl.Pawl;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Names;
import dev.pawl.script.lang.Limits;
import dev.pawl.script.lang.Parsed;
import dev.pawl.script.lang.Script;
import dev.pawl.script.lang.ScriptErrors;
import dev.pawl.script.lang.View;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Workflows in {@code .flow} files.
 *
 * <pre>{@code
 * pawl.register(Scripts.all());
 * pawl.work();
 * Definition order = Scripts.deploy(pawl, Path.of("order.flow"));
 * pawl.start(order.type(), inputs, o -> o);
 * }</pre>
 */
public final class Scripts {
  /** What the store calls the definition of a script. */
  public static final String KIND = "script";

  /** How the name of a script's file ends. */
  public static final String SUFFIX = ".flow";

  private Scripts() {}

  /** Carries out every type that has a script in the store, also those deployed later. */
  public static DefinedProgram all() {
    return all(Limits.DEFAULT);
  }

  /** As {@link #all()}, with limits of your own. */
  public static DefinedProgram all(Limits limits) {
    return new ScriptProgram(limits);
  }

  /**
   * Reads a script and works out its type: the name in its front matter, else that of its workflow,
   * else the name of the file without {@code .flow}.
   *
   * @throws ScriptRefused with all errors, if there are any
   */
  public static Definition define(String fileName, String source) {
    return switch (Script.parse(fileName, source)) {
      case ScriptErrors errors -> throw new ScriptRefused(errors);
      case Script script -> Definition.of(type(script, fileName), KIND, source);
    };
  }

  private static String type(Script script, String fileName) {
    return Names.checkType(script.declaredName().orElseGet(() -> bareName(fileName)));
  }

  private static String bareName(String fileName) {
    String last = fileName.substring(fileName.lastIndexOf('/') + 1);
    return last.endsWith(SUFFIX) ? last.substring(0, last.length() - SUFFIX.length()) : last;
  }

  /** Reads the definition in a file. */
  public static Definition read(Path file) {
    try {
      return define(String.valueOf(file.getFileName()), Files.readString(file));
    } catch (IOException e) {
      throw PawlException.notFound("the script " + file + " cannot be read: " + e.getMessage());
    }
  }

  /**
   * Keeps the script in the store: new runs of its type take it, runs under way keep theirs.
   *
   * @throws ScriptRefused with all errors, if there are any; then nothing was deployed
   */
  public static Definition deploy(Pawl pawl, Path file) {
    return deploy(pawl, read(file));
  }

  /** As {@link #deploy(Pawl, Path)}, of a text; the name is used as a file's would be. */
  public static Definition deploy(Pawl pawl, String fileName, String source) {
    return deploy(pawl, define(fileName, source));
  }

  private static Definition deploy(Pawl pawl, Definition definition) {
    pawl.deploy(definition);
    return definition;
  }

  /**
   * Deploys the scripts of a directory now, and again whenever one of them changes, until this is
   * closed. For development.
   */
  public static ScriptWatch watch(Pawl pawl, Path directory) {
    return new ScriptWatch(pawl, directory);
  }

  /** Where a suspended run of the script stands, the main program first. */
  public static List<View> views(Definition definition, Event.Suspended suspended) {
    return SavedState.read(suspended)
        .map(state -> state.machine(script(definition), new TurnHost(), Limits.DEFAULT).views())
        .orElse(List.of());
  }

  static Script script(Definition definition) {
    Parsed parsed = Script.parse(definition.type(), definition.source());
    return switch (parsed) {
      case ScriptErrors errors -> throw new ScriptRefused(errors);
      case Script script -> script;
    };
  }
}
