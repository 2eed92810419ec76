package dev.pawl.script.lang;

import dev.pawl.script.lang.syntax.ErrorList;
import dev.pawl.script.lang.syntax.Node;
import dev.pawl.script.lang.syntax.Parser;
import dev.pawl.script.lang.syntax.Source;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * A script that was read, checked and compiled. Its {@link #hash} is that of its text: the same
 * text is the same script, whatever it is called. Immutable; any number of machines may run it at
 * once.
 */
public final class Script implements Parsed {
  private final Source source;
  private final Node.Program program;
  private final FunctionCode[] functions;
  private final String hash;

  private Script(Source source, Node.Program program, FunctionCode[] functions) {
    this.source = source;
    this.program = program;
    this.functions = functions;
    this.hash = hash(source.text());
  }

  /** Reads a script. {@code name} is what errors call it, such as the name of its file. */
  public static Parsed parse(String name, String text) {
    Source source = new Source(name, text);
    ErrorList errors = new ErrorList(source);
    Parser.Result parsed = Parser.parse(source, errors);
    if (!parsed.walkable()) {
      return new ScriptErrors(name, errors.sorted());
    }
    Node.Function top = Compiler.wrap(parsed.program());
    Resolution resolution = Resolver.resolve(top, parsed.doubtful(), errors);
    if (!errors.isEmpty()) {
      return new ScriptErrors(name, errors.sorted());
    }
    return new Script(source, parsed.program(), Compiler.compile(top, resolution));
  }

  /** The hash that a script with this text has: SHA-256 in hexadecimal digits. */
  public static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  public String name() {
    return source.name();
  }

  public Source source() {
    return source;
  }

  public String hash() {
    return hash;
  }

  /** The tree, with places, for tools. */
  public Node.Program program() {
    return program;
  }

  /** The lines {@code key: value} before the script. */
  public Map<String, String> frontMatter() {
    return source.frontMatter();
  }

  /** The name in the front matter, else that of its workflow. */
  public Optional<String> declaredName() {
    Optional<String> named =
        Optional.ofNullable(frontMatter().get("name")).filter(name -> !name.isEmpty());
    return named.or(() ->
        program.body().stream()
            .filter(Node.FunctionDeclaration.class::isInstance)
            .map(Node.FunctionDeclaration.class::cast)
            .filter(Node.FunctionDeclaration::workflow)
            .map(workflow -> workflow.function().name())
            .findFirst());
  }

  @Override
  public Script orThrow() {
    return this;
  }

  FunctionCode[] functions() {
    return functions;
  }
}
