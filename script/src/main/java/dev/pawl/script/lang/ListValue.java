package dev.pawl.script.lang;

import java.util.Arrays;

/** A list of a script: grows at the end, has no holes. */
final class ListValue {
  private static final Object[] NONE = {};

  Object[] items;
  int size;

  ListValue() {
    this.items = NONE;
  }

  /** Takes the array as its own. */
  ListValue(Object[] items, int size) {
    this.items = items;
    this.size = size;
  }

  static ListValue of(Object... items) {
    return new ListValue(items, items.length);
  }

  Object get(int index) {
    return items[index];
  }

  void add(Object value) {
    if (size == items.length) {
      items = Arrays.copyOf(items, Math.max(8, size + (size >> 1)));
    }
    items[size++] = value;
  }

  void addAll(Object[] from, int start, int count) {
    int needed = size + count;
    if (needed > items.length) {
      items = Arrays.copyOf(items, Math.max(needed, size + (size >> 1)));
    }
    System.arraycopy(from, start, items, size, count);
    size = needed;
  }

  /** Replaces {@code removed} elements from {@code start} by others. */
  void splice(int start, int removed, Object[] from, int fromStart, int added) {
    Object[] result = new Object[size - removed + added];
    System.arraycopy(items, 0, result, 0, start);
    System.arraycopy(from, fromStart, result, start, added);
    System.arraycopy(items, start + removed, result, start + added, size - start - removed);
    items = result;
    size = result.length;
  }

  /** A copy of the elements from {@code start} up to but without {@code end}. */
  ListValue slice(int start, int end) {
    return new ListValue(Arrays.copyOfRange(items, start, end), end - start);
  }

  Object removeLast() {
    Object last = items[--size];
    items[size] = Null.NULL;
    return last;
  }
}
