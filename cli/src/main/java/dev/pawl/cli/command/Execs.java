package dev.pawl.cli.command;

import dev.pawl.cli.exit.CommandException;
import dev.pawl.log.Names;
import dev.pawl.store.Routes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of {@code --exec}: which command does which type. */
final class Execs {
  private Execs() {}

  /** Commands by type or prefix, in the order in which they were given. */
  static Map<String, String> parse(List<String> execs) {
    Map<String, String> commands = new LinkedHashMap<>();
    for (String exec : execs) {
      int equals = exec.indexOf('=');
      if (equals < 1 || exec.substring(equals + 1).isBlank()) {
        throw CommandException.usage(
            "--exec is 'TYPE=COMMAND', such as 'mail.send.v1=./send-mail', not '" + exec + "'");
      }
      String type = exec.substring(0, equals).strip();
      checkPattern(type);
      if (commands.put(type, exec.substring(equals + 1)) != null) {
        throw CommandException.usage("--exec names '" + type + "' twice");
      }
    }
    return commands;
  }

  static void checkPattern(String type) {
    if (Routes.isPrefix(type)) {
      Routes.prefix(type);
    } else if (type.indexOf('*') >= 0) {
      throw CommandException.usage(
          "'"
              + type
              + "' has a '*' in it; 'mail.%' is how to say: all types that begin with mail.");
    } else {
      Names.checkType(type);
    }
  }
}
