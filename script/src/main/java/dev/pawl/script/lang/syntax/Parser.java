package dev.pawl.script.lang.syntax;

import dev.pawl.script.lang.syntax.Node.Block;
import dev.pawl.script.lang.syntax.Node.FunctionDeclaration;
import dev.pawl.script.lang.syntax.Node.Program;
import dev.pawl.script.lang.syntax.Node.Stmt;
import dev.pawl.script.lang.syntax.Tokens.TooDeep;
import dev.pawl.script.lang.syntax.Tokens.Unreadable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a script by recursive descent. What it cannot read it reports, skips to where the next
 * statement seems to begin, and goes on, so that one look shows all errors. What is JavaScript but
 * not in the language it reads as if it were, with one error.
 */
public final class Parser {
  /** How many nodes may stand above one another, counting long chains of operators. */
  public static final int DEEPEST_TREE = 1000;

  final Tokens tokens;
  final Expressions expressions;
  final Patterns patterns;
  final Functions functions;
  private final Statements statements;
  private final Set<String> doubtful = new HashSet<>();

  /** What may stand here: changes from function to function. */
  boolean asyncAllowed = true;

  int loops;
  int switches;

  private Parser(Source source, ErrorList errors) {
    this.tokens = new Tokens(source, errors);
    this.expressions = new Expressions(this);
    this.patterns = new Patterns(this);
    this.functions = new Functions(this);
    this.statements = new Statements(this);
  }

  /**
   * What came of reading a script.
   *
   * @param doubtful names that stand in parts that could not be read: they may be declared there
   * @param walkable whether the tree is shallow enough to be walked by recursion
   */
  public record Result(Program program, Set<String> doubtful, boolean walkable) {}

  /** Reads the whole script; errors go to the list. */
  public static Result parse(Source source, ErrorList errors) {
    return new Parser(source, errors).parseProgram(source, errors);
  }

  private Result parseProgram(Source source, ErrorList errors) {
    List<Stmt> body = new ArrayList<>();
    try {
      while (!tokens.atEnd()) {
        if (tokens.isSign("}")) {
          tokens.error(tokens.next().span(), "this `}` closes nothing");
        } else {
          parseInto(body);
        }
      }
    } catch (TooDeep e) {
      // Reported where it happened; the rest is not looked at.
    }
    Program program = new Program(source.span(0, source.text().length()), body);
    checkForms(body);
    Optional<Node> tooDeep = Children.deeperThan(DEEPEST_TREE, program);
    tooDeep.ifPresent(node ->
        errors.add(
            ErrorList.SYNTAX_ERROR,
            node.span(),
            "more than "
                + DEEPEST_TREE
                + " operators or blocks stand inside each other"
                + " here: divide the expression"));
    return new Result(program, doubtful, tooDeep.isEmpty());
  }

  /** Beside a workflow there may only be declarations, and no second one. */
  private void checkForms(List<Stmt> body) {
    boolean hasWorkflow = body.stream().anyMatch(Parser::isWorkflow);
    boolean seen = false;
    for (Stmt stmt : body) {
      if (isWorkflow(stmt)) {
        if (seen) {
          tokens.error(stmt.span(), "a script has one `workflow`; this is another");
        }
        seen = true;
      } else if (hasWorkflow && !isDeclaration(stmt)) {
        tokens.error(
            stmt.span(),
            "beside a `workflow` there may only be declarations: put this statement into it");
      }
    }
  }

  private static boolean isWorkflow(Stmt stmt) {
    return stmt instanceof FunctionDeclaration function && function.workflow();
  }

  private static boolean isDeclaration(Stmt stmt) {
    return stmt instanceof FunctionDeclaration
        || stmt instanceof Node.Declare
        || stmt instanceof Node.Empty;
  }

  /** Reads one statement, or skips what cannot be read. */
  void parseInto(List<Stmt> body) {
    int start = tokens.mark();
    int depth = tokens.depth();
    int loopsBefore = loops;
    int switchesBefore = switches;
    boolean asyncBefore = asyncAllowed;
    try {
      body.add(statements.parse());
    } catch (Unreadable e) {
      tokens.resetDepth(depth);
      loops = loopsBefore;
      switches = switchesBefore;
      asyncAllowed = asyncBefore;
      expressions.reset();
      skipStatement(start);
    }
  }

  Block block(String why) {
    Token open = tokens.expect("{", why);
    tokens.enter();
    List<Stmt> body = new ArrayList<>();
    while (!tokens.isSign("}") && !tokens.atEnd()) {
      parseInto(body);
    }
    tokens.leave();
    closeBlock();
    return new Block(tokens.spanFrom(open.span()), body);
  }

  void closeBlock() {
    if (tokens.atEnd()) {
      tokens.error(tokens.peek().span(), "a `}` is missing at the end of the script");
    } else {
      tokens.next();
    }
  }

  /** Notes that the names from {@code start} up to here may or may not have been declared. */
  void doubt(int start) {
    for (int i = start; i < tokens.mark(); i++) {
      Token token = tokens.peek(i - tokens.mark());
      if (token.kind() == Token.Kind.NAME) {
        doubtful.add(token.text());
      }
    }
  }

  /**
   * Goes to where the next statement seems to begin: behind a semicolon, at a brace that closes the
   * block around, or at a line that begins with a word, outside of what the statement opened.
   */
  private void skipStatement(int start) {
    Deque<String> open = new ArrayDeque<>();
    for (int i = start; i < tokens.mark(); i++) {
      note(tokens.peek(i - tokens.mark()), open);
    }
    boolean moved = tokens.mark() > start;
    while (!tokens.atEnd()) {
      Token token = tokens.peek();
      boolean closesAround = token.isSign("}") && !open.contains("{");
      if (closesAround || (moved && token.newlineBefore() && startsStatement(token, open))) {
        break;
      }
      tokens.next();
      moved = true;
      note(token, open);
      if (open.isEmpty() && token.isSign(";")) {
        break;
      }
    }
    doubt(start);
  }

  private static void note(Token token, Deque<String> open) {
    if (token.isSign("(") || token.isSign("[") || token.isSign("{")) {
      open.push(token.text());
    } else if (token.isSign(")") || token.isSign("]")) {
      if (!open.isEmpty() && !open.element().equals("{")) {
        open.pop();
      }
    } else if (token.isSign("}") && open.contains("{")) {
      while (!open.pop().equals("{")) {
        // An unclosed parenthesis ends with the block it stands in.
      }
    }
  }

  private static boolean startsStatement(Token token, Deque<String> open) {
    return switch (token.kind()) {
      case NAME -> open.isEmpty();
      case WORD ->
          open.isEmpty() || (!open.contains("{") && STATEMENT_WORDS.contains(token.text()));
      default -> false;
    };
  }

  private static final Set<String> STATEMENT_WORDS =
      Set.of(
          "let",
          "const",
          "if",
          "for",
          "while",
          "do",
          "switch",
          "return",
          "throw",
          "try",
          "break",
          "continue");
}
