package dev.pawl.cli.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.cli.exit.CommandException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SyntaxTest {
  private static final Syntax SYNTAX =
      Syntax.of("try", "Tries.")
          .parameter("THIS", "A thing")
          .optional("THAT", "Another")
          .flag("--loud -l", "Loudly")
          .option("--size", "N", "How big")
          .repeatable("--tag", "TAG", "Which");

  private static Arguments parse(String... words) {
    return SYNTAX.parse(List.of(words));
  }

  @Test
  void optionsStandAnywhere() {
    Arguments given = parse("--size", "3", "a", "-l", "b", "--tag=x=y", "--tag", "z");
    assertThat(given.parameter("THIS")).isEqualTo("a");
    assertThat(given.optional("THAT")).contains("b");
    assertThat(given.has("--loud")).isTrue();
    assertThat(given.number("--size", 1, 9)).contains(3);
    assertThat(given.values("--tag")).containsExactly("x=y", "z");
  }

  @Test
  void behindTwoDashesEverythingIsAWord() {
    Arguments given = parse("--", "--size", "--loud");
    assertThat(given.parameter("THIS")).isEqualTo("--size");
    assertThat(given.optional("THAT")).contains("--loud");
  }

  @Test
  void aDashAndNegativeNumbersAreWords() {
    assertThat(parse("-").parameter("THIS")).isEqualTo("-");
    assertThat(parse("-3.5").parameter("THIS")).isEqualTo("-3.5");
  }

  @Test
  void globalOptionsBelongToEveryCommand() {
    assertThat(parse("a", "--json", "--store", "x").value("--store")).contains("x");
  }

  @Test
  void helpNeedsNoParameters() {
    assertThat(parse("--help").has("--help")).isTrue();
  }

  @Test
  void complainsAboutWhatDoesNotFit() {
    refused("THIS is missing");
    refused("--size needs a value, N", "a", "--size");
    refused("--loud takes no value", "a", "--loud=yes");
    refused("there is no option --volume", "a", "--volume");
    refused("'c' is one word too many", "a", "b", "c");
    refused("--size was given twice", "a", "--size", "1", "--size", "2");
  }

  private static void refused(String message, String... words) {
    assertThatThrownBy(() -> parse(words))
        .isInstanceOf(CommandException.class)
        .hasMessage(message + " ('pawl try --help')");
  }
}
