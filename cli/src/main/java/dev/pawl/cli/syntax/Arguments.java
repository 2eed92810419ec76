package dev.pawl.cli.syntax;

import dev.pawl.cli.terminal.TimeInput;
import dev.pawl.error.PawlException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was given to a command. */
public final class Arguments {
  private final Syntax syntax;
  private final Map<String, String> parameters;
  private final Map<String, List<String>> options;

  Arguments(Syntax syntax, Map<String, String> parameters, Map<String, List<String>> options) {
    this.syntax = syntax;
    this.parameters = parameters;
    this.options = options;
  }

  /** The word for a parameter that must be there. */
  public String parameter(String label) {
    return optional(label).orElseThrow(() -> syntax.misused(label + " is missing"));
  }

  public Optional<String> optional(String label) {
    return Optional.ofNullable(parameters.get(label));
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  public Optional<String> value(String option) {
    return values(option).stream().findFirst();
  }

  public List<String> values(String option) {
    return options.getOrDefault(option, List.of());
  }

  /** A whole number within limits. */
  public Optional<Integer> number(String option, int least, int most) {
    return value(option)
        .map(text -> {
          try {
            int number = Integer.parseInt(text.strip());
            if (number >= least && number <= most) {
              return number;
            }
          } catch (NumberFormatException e) {
            // The sentence below is right for this case too.
          }
          throw syntax.misused(
              option + " is a whole number " + range(least, most) + ", not '" + text + "'");
        });
  }

  private static String range(int least, int most) {
    return most == Integer.MAX_VALUE ? "from " + least : "from " + least + " to " + most;
  }

  public Optional<Duration> duration(String option) {
    return value(option)
        .map(text -> {
          try {
            return TimeInput.duration(text);
          } catch (PawlException e) {
            throw syntax.misused(option + ": " + e.getMessage());
          }
        });
  }
}
