package dev.pawl.script.lang;

/**
 * What one script may use up. Whoever exceeds one ends with {@code LIMIT_EXCEEDED}, which cannot be
 * caught.
 *
 * @param operations instructions in one call of {@link Machine#run}; long-winded functions of the
 *     library count by the size of what they work on
 * @param depth calls inside each other
 * @param heapBytes estimated size of everything the script can reach
 * @param textLength UTF-16 units of one text
 * @param outputBytes size of a value that leaves the script, as JSON
 * @param pendingOperations tasks, timers and waits that have not ended
 */
public record Limits(
    long operations,
    int depth,
    long heapBytes,
    int textLength,
    int outputBytes,
    int pendingOperations) {

  public static final Limits DEFAULT =
      new Limits(50_000_000, 1_000, 64L << 20, 4 << 20, 4 << 20, 20_000);

  public Limits withOperations(long most) {
    return new Limits(most, depth, heapBytes, textLength, outputBytes, pendingOperations);
  }

  public Limits withDepth(int most) {
    return new Limits(operations, most, heapBytes, textLength, outputBytes, pendingOperations);
  }

  public Limits withHeapBytes(long most) {
    return new Limits(operations, depth, most, textLength, outputBytes, pendingOperations);
  }

  public Limits withTextLength(int most) {
    return new Limits(operations, depth, heapBytes, most, outputBytes, pendingOperations);
  }

  public Limits withOutputBytes(int most) {
    return new Limits(operations, depth, heapBytes, textLength, most, pendingOperations);
  }

  public Limits withPendingOperations(int most) {
    return new Limits(operations, depth, heapBytes, textLength, outputBytes, most);
  }
}
