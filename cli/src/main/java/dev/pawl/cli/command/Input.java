package dev.pawl.cli.command;

import dev.pawl.cli.exit.CommandException;
import dev.pawl.cli.session.Session;
import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** JSON as people hand it in: the text itself, {@code @file}, or {@code -} for standard input. */
final class Input {
  private static final int MAX_BYTES = Json.MAX_CHARS;

  private Input() {}

  /**
   * Reads one JSON value; null if none was given.
   *
   * @param what what it is, for the message: "the payload"
   */
  static Json json(Session session, String what, Optional<String> argument) {
    return argument.map(given -> parse(what, text(session, given))).orElse(Json.NULL);
  }

  static Json parse(String what, String text) {
    try {
      return Json.parse(text);
    } catch (PawlException e) {
      throw switch (e.code()) {
        case TOO_LARGE -> CommandException.tooLarge(what + " is too large: " + e.getMessage());
        default -> CommandException.badData(what + " is " + e.getMessage() + hint(text));
      };
    }
  }

  private static String hint(String text) {
    return text.isBlank() || !Character.isLetter(text.strip().charAt(0))
        ? ""
        : "; a text needs double quotes inside the quotes of the shell: '\"…\"'";
  }

  /** Reads a text. */
  static String text(Session session, String argument) {
    if (argument.equals("-")) {
      return read("standard input", session.terminal().in());
    }
    return argument.startsWith("@") ? file(argument.substring(1)) : argument;
  }

  private static String file(String name) {
    Path file = Path.of(name);
    if (Files.isDirectory(file)) {
      throw CommandException.missing(name + " is a directory, not a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return read(name, in);
    } catch (NoSuchFileException e) {
      throw CommandException.missing("there is no file " + name);
    } catch (AccessDeniedException e) {
      throw CommandException.forbidden("the file " + name + " may not be read");
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static String read(String name, InputStream in) {
    try {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw CommandException.tooLarge(
            name
                + " has more than "
                + MAX_BYTES
                + " bytes, which is the limit; store it elsewhere and pass a reference");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw CommandException.badData(name + " is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  private static CommandException unreadable(String name, IOException e) {
    return CommandException.unreadable(name + " cannot be read: " + e.getMessage());
  }
}
