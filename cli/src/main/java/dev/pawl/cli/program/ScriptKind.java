package dev.pawl.cli.program;

import dev.pawl.error.PawlException;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.script.ScriptRefused;
import dev.pawl.script.Scripts;
import dev.pawl.script.lang.SnapshotException;
import dev.pawl.script.lang.View;
import dev.pawl.script.lang.syntax.ScriptError;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import java.util.List;
import java.util.Optional;

/** Scripts, in {@code .flow} files. */
final class ScriptKind implements ProgramKind {
  @Override
  public Reading read(String fileName, String text) {
    try {
      return new Reading.Sound(Scripts.define(fileName, text));
    } catch (ScriptRefused refused) {
      return new Reading.Faulty(
          refused.errors().stream().map(error -> problem(fileName, error)).toList());
    } catch (PawlException e) {
      String message = String.valueOf(e.getMessage());
      return new Reading.Faulty(
          List.of(new Problem(e.code().name(), message, 0, 0, fileName + ": " + message)));
    }
  }

  private static Problem problem(String fileName, ScriptError error) {
    return new Problem(
        error.code(), error.message(), error.line(), error.column(), error.show(fileName));
  }

  @Override
  public DefinedProgram program() {
    return Scripts.all();
  }

  /** The last suspension tells; a run that has ended stands nowhere. */
  @Override
  public Optional<ProgramView> view(Definition definition, Run run, List<Entry> log) {
    Optional<Event.Suspended> last =
        run.status().isTerminal()
            ? Optional.empty()
            : log.reversed().stream()
                .map(Entry::event)
                .filter(Event.Suspended.class::isInstance)
                .map(Event.Suspended.class::cast)
                .findFirst();
    List<View> views = last.map(suspended -> views(definition, suspended)).orElse(List.of());
    return Optional.of(new ScriptView(definition, views));
  }

  /** A snapshot that cannot be read should not keep a person from seeing all the rest. */
  private static List<View> views(Definition definition, Event.Suspended suspended) {
    try {
      return Scripts.views(definition, suspended);
    } catch (SnapshotException | PawlException e) {
      return List.of();
    }
  }
}
