package dev.pawl.store.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store's connection as the body of a transactional step may see it: it can read and write, and
 * that is all. Beginning and ending the transaction is the store's; what the body opened is closed
 * behind it. Used by one thread.
 */
public final class BodyConnection implements AutoCloseable {
  private static final Set<String> REFUSED_CALLS =
      Set.of(
          "commit",
          "rollback",
          "setAutoCommit",
          "close",
          "abort",
          "setSavepoint",
          "releaseSavepoint",
          "setTransactionIsolation",
          "setReadOnly",
          "setCatalog",
          "setSchema",
          "unwrap");
  private static final Set<String> REFUSED_WORDS =
      Set.of(
          "BEGIN",
          "COMMIT",
          "END",
          "ROLLBACK",
          "SAVEPOINT",
          "RELEASE",
          "VACUUM",
          "ATTACH",
          "DETACH");

  private final Connection real;
  private final Connection shown;
  private final List<Statement> opened = new ArrayList<>();
  private boolean over;

  public BodyConnection(Connection real) {
    this.real = real;
    this.shown = proxy(Connection.class, this::onConnection);
  }

  /** What the body gets. */
  public Connection connection() {
    return shown;
  }

  /** Closes what the body left open; from now on the connection it had is of no use. */
  @Override
  public void close() throws SQLException {
    over = true;
    for (Statement statement : opened) {
      statement.close();
    }
  }

  private @Nullable Object onConnection(Object self, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (name.equals("isClosed") && over) {
      return true;
    }
    if (over) {
      throw new SQLException(
          "the transactional step is over: its connection can no longer be used");
    }
    if (name.equals("isWrapperFor")) {
      // Nobody should count on what is refused below.
      return false;
    }
    if (REFUSED_CALLS.contains(name)) {
      throw new SQLException(
          "a transactional step must not call "
              + name
              + "(): the store ends the transaction, with the step's result in it");
    }
    checkSql(arguments);
    @Nullable Object result = call(real, method, arguments);
    return result instanceof Statement statement
        ? shown(statement, method.getReturnType())
        : result;
  }

  private Object shown(Statement statement, Class<?> type) {
    opened.add(statement);
    InvocationHandler handler =
        (self, method, arguments) -> onStatement(statement, method, arguments);
    if (type == CallableStatement.class) {
      return proxy(CallableStatement.class, handler);
    }
    return type == PreparedStatement.class
        ? proxy(PreparedStatement.class, handler)
        : proxy(Statement.class, handler);
  }

  private @Nullable Object onStatement(
      Statement statement, Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getName().equals("getConnection")) {
      return shown;
    }
    if (method.getName().startsWith("execute") || method.getName().equals("addBatch")) {
      checkSql(arguments);
    }
    return call(statement, method, arguments);
  }

  private static void checkSql(Object @Nullable [] arguments) throws SQLException {
    if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
      String word = sql.strip().split("\\W", 2)[0].toUpperCase(Locale.ROOT);
      if (REFUSED_WORDS.contains(word)) {
        throw new SQLException(
            "a transactional step must not execute "
                + word
                + ": the store ends the transaction, with the step's result in it");
      }
    }
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            BodyConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
