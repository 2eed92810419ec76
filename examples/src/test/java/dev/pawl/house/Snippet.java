package dev.pawl.house;

import dev.pawl.house.SourceTree.SourceFile;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Java block of a document that claims to be code from {@code examples/}.
 *
 * <p>Its first line is a comment that names the file, and may name a part of it:
 *
 * <pre>{@code
 * // examples/src/main/java/dev/pawl/examples/Hello.java
 * // examples/src/main/java/dev/pawl/examples/Hello.java#greeting
 * }</pre>
 *
 * <p>The rest of the block then is the whole file, or the lines between {@code // snippet:greeting}
 * and the next {@code // end} in it, moved to the left margin.
 */
record Snippet(String document, String source, String part, String code) {
  private static final Pattern BLOCK =
      Pattern.compile(
          "^```java\\h*\\R// (examples/[^\\s#]+\\.java)(?:#(\\S+))?\\h*\\R(.*?)^```\\h*$",
          Pattern.MULTILINE | Pattern.DOTALL);

  static List<Snippet> in(SourceFile document) {
    return BLOCK
        .matcher(document.text())
        .results()
        .map(block ->
            new Snippet(
                document.name(),
                block.group(1),
                Optional.ofNullable(block.group(2)).orElse(""),
                block.group(3)))
        .toList();
  }

  /** What is wrong with this snippet, if anything. */
  Stream<String> complaints(SourceTree tree) {
    Optional<SourceFile> file =
        tree.files().stream().filter(candidate -> candidate.name().equals(source)).findFirst();
    if (file.isEmpty()) {
      return Stream.of(document + " quotes " + title() + ", but there is no such file");
    }
    Optional<String> actual = part.isEmpty() ? file.map(SourceFile::text) : partOf(file.get());
    if (actual.isEmpty()) {
      return Stream.of(document + " quotes " + title() + ", but the file has no such part");
    }
    if (actual.get().strip().equals(code.strip())) {
      return Stream.empty();
    }
    return Stream.of(
        document + " quotes " + title() + " otherwise than it is; it is:\n" + actual.get());
  }

  private Optional<String> partOf(SourceFile file) {
    Matcher marked =
        Pattern.compile(
                "^\\h*// snippet:" + Pattern.quote(part) + "\\h*\\R(.*?)^\\h*// end\\h*$",
                Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(file.text());
    return marked.find()
        ? Optional.of(marked.group(1).stripTrailing().stripIndent())
        : Optional.empty();
  }

  private String title() {
    return part.isEmpty() ? source : source + "#" + part;
  }
}
