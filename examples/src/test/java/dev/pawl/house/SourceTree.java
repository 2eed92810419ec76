package dev.pawl.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files of this repository as a person would list them: what is built or fetched is left out.
 */
final class SourceTree {
  private static final Set<String> NOT_OURS =
      Set.of(".git", ".idea", ".vscode", "target", "node_modules", "dist");

  private final Path root;
  private final List<SourceFile> files;

  private SourceTree(Path root, List<SourceFile> files) {
    this.root = root;
    this.files = files;
  }

  /** Reads the repository around the directory the tests run in. */
  static SourceTree read() {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.exists(root.resolve("LICENSE"))) {
      root = root.getParent();
    }
    return new SourceTree(root, filesBelow(root));
  }

  Path root() {
    return root;
  }

  List<SourceFile> files() {
    return files;
  }

  List<SourceFile> java() {
    return files.stream().filter(SourceFile::isJava).toList();
  }

  /** Tests, and the abstract tests of the testkit. */
  List<SourceFile> tests() {
    return java().stream()
        .filter(file -> file.name().contains("/src/test/") || file.name().startsWith("testkit/"))
        .toList();
  }

  private static List<SourceFile> filesBelow(Path root) {
    List<SourceFile> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about) {
              return NOT_OURS.contains(directory.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about)
                throws IOException {
              if (about.isRegularFile()) {
                read(root, file, files);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    files.sort(Comparator.comparing(SourceFile::name));
    return List.copyOf(files);
  }

  private static void read(Path root, Path file, List<SourceFile> files) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    boolean binary = text.indexOf('\0') >= 0;
    if (!binary) {
      files.add(new SourceFile(root.relativize(file).toString().replace('\\', '/'), text));
    }
  }

  /** A text file, named by its path from the root. */
  record SourceFile(String name, String text) {
    boolean isJava() {
      return name.endsWith(".java");
    }

    String directory() {
      return name.substring(0, name.lastIndexOf('/') + 1);
    }

    /** The places where the pattern is found, as {@code path:line: text}. */
    Stream<String> placesOf(Pattern pattern) {
      return lines(pattern.asPredicate());
    }

    private Stream<String> lines(Predicate<String> wanted) {
      List<String> lines = text.lines().toList();
      return IntStream.range(0, lines.size())
          .filter(i -> wanted.test(lines.get(i)))
          .mapToObj(i -> name + ":" + (i + 1) + ": " + lines.get(i).strip());
    }

    int length() {
      return (int) text.lines().count();
    }
  }
}
