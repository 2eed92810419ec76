package dev.pawl.cli.program;

import dev.pawl.cli.exit.CommandException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The kinds there are. */
public final class ProgramKinds {
  /**
   * A kind that may not be loaded yet.
   *
   * @param kind the word for it in a definition
   * @param suffix how the names of its files end
   */
  private record Entry(String kind, String suffix, Supplier<ProgramKind> make) {}

  private static final List<Entry> ALL =
      List.of(
          new Entry("script", ".flow", ScriptKind::new),
          new Entry("graph", ".json", GraphKind::new));

  private ProgramKinds() {}

  /** Every kind, loaded. */
  public static List<ProgramKind> all() {
    return ALL.stream().map(entry -> entry.make().get()).toList();
  }

  /** The kind of a definition, if it is known here. */
  public static Optional<ProgramKind> find(String kind) {
    return ALL.stream()
        .filter(entry -> entry.kind().equals(kind))
        .map(entry -> entry.make().get())
        .findFirst();
  }

  /** The kind of a file, by its name. */
  public static ProgramKind ofFile(String fileName) {
    return ALL.stream()
        .filter(entry -> fileName.endsWith(entry.suffix()))
        .map(entry -> entry.make().get())
        .findFirst()
        .orElseThrow(() -> CommandException.usage(unknown(fileName)));
  }

  private static String unknown(String fileName) {
    return "what kind of program is "
        + fileName
        + "? Its name should end in "
        + ALL.stream().map(Entry::suffix).collect(Collectors.joining(" or "));
  }
}
