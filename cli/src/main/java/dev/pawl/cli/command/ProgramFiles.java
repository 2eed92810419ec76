package dev.pawl.cli.command;

import dev.pawl.cli.json.JsonLine;
import dev.pawl.cli.program.ProgramKind;
import dev.pawl.cli.program.ProgramKinds;
import dev.pawl.cli.session.Session;
import dev.pawl.store.Definition;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that a command was given, read; and what is wrong with them. */
final class ProgramFiles {
  private final List<Sound> sound = new ArrayList<>();
  private final List<Faulty> faulty = new ArrayList<>();

  /** A file that can be deployed. */
  record Sound(String file, Definition definition) {}

  private record Faulty(String file, List<ProgramKind.Problem> problems) {}

  /** Reads all of them. */
  static ProgramFiles read(Session session, List<String> files) {
    ProgramFiles read = new ProgramFiles();
    for (String file : files) {
      ProgramKind kind = ProgramKinds.ofFile(file);
      String text = Input.text(session, "@" + file);
      switch (kind.read(String.valueOf(Path.of(file).getFileName()), text)) {
        case ProgramKind.Reading.Sound good -> read.sound.add(new Sound(file, good.definition()));
        case ProgramKind.Reading.Faulty bad -> read.faulty.add(new Faulty(file, bad.problems()));
      }
    }
    return read;
  }

  List<Sound> sound() {
    return sound;
  }

  boolean isSound() {
    return faulty.isEmpty();
  }

  /** Tells everything that is wrong with them. */
  void complain(Session session, PrintStream out) {
    for (Faulty file : faulty) {
      for (ProgramKind.Problem problem : file.problems()) {
        if (session.isJson()) {
          out.println(json(file.file(), problem).text());
        } else {
          out.println(problem.shown());
        }
      }
    }
    int problems = faulty.stream().mapToInt(file -> file.problems().size()).sum();
    session.note(problems == 1 ? "1 error" : problems + " errors");
  }

  private static JsonLine json(String file, ProgramKind.Problem problem) {
    return new JsonLine()
        .put("file", file)
        .put("line", problem.line())
        .put("column", problem.column())
        .put("code", problem.code())
        .put("message", problem.message());
  }
}
