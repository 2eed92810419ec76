package dev.pawl.house;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.house.SourceTree.SourceFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a tidy house looks like from outside: rules about files rather than classes. */
class TidyTest {
  private static final int LONGEST_FILE_LINES = 500;
  private static final String LONG_FILES =
      "examples/src/test/resources/dev/pawl/house/long-files.txt";

  // Written so that no pattern finds itself here.
  private static final Pattern UNFINISHED = Pattern.compile("\\b(TO[D]O|FIX[M]E)\\b");
  private static final Pattern SKIPPED_OR_SLEEPING =
      Pattern.compile("@(Disabled|Ignore)\\b|\\bThread[.]sleep\\(");
  private static final Pattern REGISTRY_HOST =
      Pattern.compile(
          "repo1?[.]maven|sonatype[.](org|com)|registry[.](npmjs|yarnpkg)|jitpack[.]io"
              + "|plugins[.]gradle|pypi[.]org|python[h]osted|proxy[.]golang");

  private static final SourceTree HOUSE = SourceTree.read();

  @Test
  void aPackageHasItsNameOnTheDoor() {
    Map<String, List<SourceFile>> rooms =
        HOUSE.java().stream()
            .filter(file -> file.name().contains("/src/main/java/"))
            .filter(file -> !file.name().endsWith("/module-info.java"))
            .collect(groupingBy(SourceFile::directory));
    assertThat(
            rooms.entrySet().stream()
                .filter(room -> !hasDoor(room.getValue()))
                .map(Map.Entry::getKey))
        .as("packages without a package-info.java that carries @NullMarked")
        .isEmpty();
  }

  private static boolean hasDoor(List<SourceFile> room) {
    return room.stream()
        .anyMatch(file ->
            file.name().endsWith("/package-info.java") && file.text().contains("@NullMarked"));
  }

  @Test
  void theFormatterLeavesEveryFileAsItIs() {
    String[] arguments =
        Stream.concat(
                Stream.of("--dry-run"),
                HOUSE.java().stream().map(file -> HOUSE.root().resolve(file.name()).toString()))
            .toArray(String[]::new);
    StringWriter changed = new StringWriter();
    StringWriter errors = new StringWriter();
    ToolProvider.findFirst("google-java-format")
        .orElseThrow()
        .run(new PrintWriter(changed, true), new PrintWriter(errors, true), arguments);
    assertThat(errors.toString()).as("what the formatter cannot read").isEmpty();
    assertThat(changed.toString().lines().map(this::fromRoot))
        .as("files that are not formatted: run dev/format")
        .isEmpty();
  }

  private String fromRoot(String path) {
    return path.replace(HOUSE.root() + "/", "");
  }

  @Test
  void noTestIsSkippedOrSleeps() {
    assertThat(places(HOUSE.tests(), SKIPPED_OR_SLEEPING))
        .as("tests that are skipped, or that sleep where they should wait for a signal")
        .isEmpty();
  }

  @Test
  void nothingIsLeftToDo() {
    assertThat(places(HOUSE.files(), UNFINISHED))
        .as("notes of unfinished work: finish it, or write it where it will be read")
        .isEmpty();
  }

  @Test
  void noFileNamesARegistry() {
    assertThat(places(HOUSE.files(), REGISTRY_HOST))
        .as("hosts packages are fetched from: that is for the settings of whoever builds")
        .isEmpty();
  }

  private static List<String> places(List<SourceFile> files, Pattern pattern) {
    return files.stream().flatMap(file -> file.placesOf(pattern)).toList();
  }

  @Test
  void longFilesOnlyGetShorter() {
    Map<String, Integer> known = knownLongFiles();
    Map<String, Integer> actual =
        HOUSE.java().stream()
            .filter(file -> file.length() > LONGEST_FILE_LINES)
            .collect(Collectors.toMap(SourceFile::name, SourceFile::length));
    assertThat(actual)
        .as(
            "files over %d lines. Find the second thing in a file that grew;"
                + " write a shorter length, never a longer one, into %s",
            LONGEST_FILE_LINES, LONG_FILES)
        .isEqualTo(known);
  }

  /** Lines of the form {@code 612 path/from/root/Some.java}. */
  private static Map<String, Integer> knownLongFiles() {
    return HOUSE.files().stream()
        .filter(file -> file.name().equals(LONG_FILES))
        .flatMap(file -> file.text().lines())
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.split(" ", 2))
        .collect(Collectors.toMap(words -> words[1], words -> Integer.valueOf(words[0])));
  }

  @Test
  void documentsQuoteTheExamplesWordForWord() {
    assertThat(
            HOUSE.files().stream()
                .filter(TidyTest::isForReaders)
                .map(Snippet::in)
                .flatMap(List::stream)
                .map(snippet -> snippet.complaints(HOUSE))
                .flatMap(Function.identity()))
        .as("Java blocks that differ from the example they name")
        .isEmpty();
  }

  private static boolean isForReaders(SourceFile file) {
    return file.name().equals("README.md")
        || (file.name().startsWith("docs/") && file.name().endsWith(".md"));
  }
}
