package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every block of the guide and every example does what it says, like the files of the corpus. */
class GuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "guides", "scripts.md");
  private static final Path EXAMPLES = Path.of("..", "examples", "scripts");

  @TestFactory
  Stream<DynamicTest> theGuide() throws IOException {
    List<SpecCase> blocks = blocks(Files.readString(GUIDE));
    assertThat(blocks).hasSizeGreaterThan(20);
    return tests(blocks);
  }

  @TestFactory
  Stream<DynamicTest> theExamples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      List<SpecCase> examples =
          files
              .filter(file -> file.toString().endsWith(".flow"))
              .sorted()
              .map(file -> SpecCase.read(EXAMPLES, file))
              .toList();
      assertThat(examples).hasSizeGreaterThan(4);
      return tests(examples);
    }
  }

  private static List<SpecCase> blocks(String text) {
    List<SpecCase> blocks = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    boolean inside = false;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.equals("```js")) {
        inside = true;
        block.setLength(0);
      } else if (inside && line.equals("```")) {
        inside = false;
        blocks.add(new SpecCase("the block above line " + number, block.toString()));
      } else if (inside) {
        block.append(line).append('\n');
      }
    }
    return blocks;
  }

  private static Stream<DynamicTest> tests(List<SpecCase> cases) {
    return cases.stream()
        .flatMap(file ->
            Stream.of(SpecWorld.Mode.values())
                .map(mode ->
                    DynamicTest.dynamicTest(
                        file.name + " " + mode, () -> SpecTest.check(file, mode))));
  }
}
