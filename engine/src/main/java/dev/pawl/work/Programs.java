package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.store.Routes;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which program carries out which type. Thread-safe. */
public final class Programs {
  private final Map<String, Handler> types = new ConcurrentHashMap<>();
  private final Map<String, Handler> prefixes = new ConcurrentHashMap<>();

  /** A program and how its failures are retried. */
  record Handler(Program program, Retry retry) {}

  /** Adds a type, or a prefix ending in {@code %}. */
  public void add(RunType<?, ?> type) {
    Handler handler = new Handler(type.program(), type.retry());
    boolean prefix = Routes.isPrefix(type.type());
    String name = prefix ? Routes.prefix(type.type()) : type.type();
    if ((prefix ? prefixes : types).putIfAbsent(name, handler) != null) {
      throw PawlException.conflict("the type '" + type.type() + "' is registered already");
    }
  }

  /** The handler for a type: its own, else that of the longest prefix. */
  Optional<Handler> find(String type) {
    Handler exact = types.get(type);
    if (exact != null) {
      return Optional.of(exact);
    }
    return prefixes.entrySet().stream()
        .filter(entry -> type.startsWith(entry.getKey()))
        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue);
  }

  /**
   * What to claim: everything registered, narrowed to what matches one of the patterns if there are
   * any.
   */
  Routes routes(Set<String> only) {
    if (only.isEmpty()) {
      return new Routes(types.keySet(), prefixes.keySet());
    }
    Routes narrowed = Routes.of(only.toArray(String[]::new));
    Set<String> chosenTypes = new HashSet<>();
    Set<String> chosenPrefixes = new HashSet<>();
    types.keySet().stream().filter(narrowed::matches).forEach(chosenTypes::add);
    narrowed.types().stream().filter(type -> find(type).isPresent()).forEach(chosenTypes::add);
    for (String wanted : narrowed.prefixes()) {
      prefixes.keySet().stream().filter(own -> own.startsWith(wanted)).forEach(chosenPrefixes::add);
      prefixes.keySet().stream()
          .filter(wanted::startsWith)
          .forEach(own -> chosenPrefixes.add(wanted));
    }
    return new Routes(chosenTypes, chosenPrefixes);
  }
}
