package dev.pawl.script.lang;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of a script: keys in the order of their insertion. Few keys are searched one by one,
 * first by identity, because the names in a script are the same strings again and again; many have
 * an index.
 */
final class ObjectValue {
  private static final int SEARCHED = 8;

  String[] keys;
  Object[] values;
  int size;
  private @Nullable Map<String, Integer> index;

  ObjectValue() {
    this(4);
  }

  ObjectValue(int capacity) {
    keys = new String[capacity];
    values = new Object[capacity];
  }

  /** The place of a key, or -1. */
  @SuppressWarnings("ReferenceEquality") // equal ones are looked for behind
  int find(String key) {
    if (index != null) {
      Integer found = index.get(key);
      return found == null ? -1 : found;
    }
    String[] all = keys;
    int count = size;
    for (int i = 0; i < count; i++) {
      if (all[i] == key) {
        return i;
      }
    }
    int hash = key.hashCode();
    for (int i = 0; i < count; i++) {
      if (all[i].hashCode() == hash && all[i].equals(key)) {
        all[i] = key;
        return i;
      }
    }
    return -1;
  }

  /** The value, or {@link Null#UNSET}. */
  Object get(String key) {
    int at = find(key);
    return at < 0 ? Null.UNSET : values[at];
  }

  boolean has(String key) {
    return find(key) >= 0;
  }

  /** Whether the key is new. */
  boolean put(String key, Object value) {
    int at = find(key);
    if (at >= 0) {
      values[at] = value;
      return false;
    }
    append(key, value);
    return true;
  }

  private void append(String key, Object value) {
    if (size == keys.length) {
      int capacity = Math.max(4, size * 2);
      keys = Arrays.copyOf(keys, capacity);
      values = Arrays.copyOf(values, capacity);
    }
    keys[size] = key;
    values[size] = value;
    if (index != null) {
      index.put(key, size);
    }
    size++;
    if (index == null && size > SEARCHED) {
      buildIndex();
    }
  }

  private void buildIndex() {
    Map<String, Integer> built = new HashMap<>(size * 2);
    for (int i = 0; i < size; i++) {
      built.put(keys[i], i);
    }
    index = built;
  }

  /** Keys that were inserted later move up by one. */
  boolean remove(String key) {
    int at = find(key);
    if (at < 0) {
      return false;
    }
    System.arraycopy(keys, at + 1, keys, at, size - at - 1);
    System.arraycopy(values, at + 1, values, at, size - at - 1);
    size--;
    index = null;
    if (size > SEARCHED) {
      buildIndex();
    }
    return true;
  }
}
