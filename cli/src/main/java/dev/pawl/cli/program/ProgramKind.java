package dev.pawl.cli.program;

import dev.pawl.log.Entry;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.store.Definition;
import dev.pawl.work.DefinedProgram;
import java.util.List;
import java.util.Optional;

/** A kind of program that is written in files and kept in the store as definitions. */
public interface ProgramKind {
  /** Reads a file's text; never throws for what is in it. */
  Reading read(String fileName, String text);

  /** What carries out runs of this kind. Made anew at each call. */
  DefinedProgram program();

  /** Where a run stands in its program, if there is anything to see. */
  Optional<ProgramView> view(Definition definition, Run run, List<Entry> log);

  /**
   * Where a run stands that is being carried out by a program of this process, more exactly than
   * its log tells; nothing if that is not so.
   */
  default Optional<ProgramView> live(DefinedProgram program, RunId run) {
    return Optional.empty();
  }

  /** What came of reading a file. */
  sealed interface Reading {
    /** It can be deployed. */
    record Sound(Definition definition) implements Reading {}

    /** It cannot, for all these reasons, in the order of their places. */
    record Faulty(List<Problem> problems) implements Reading {}
  }

  /**
   * One thing that is wrong with a file.
   *
   * @param line counted from 1; 0 if it is about no line in particular
   * @param shown everything a person wants to see: place, message, the line with a caret
   */
  record Problem(String code, String message, int line, int column, String shown) {}
}
