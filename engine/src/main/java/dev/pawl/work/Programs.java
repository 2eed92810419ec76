package dev.pawl.work;

import dev.pawl.error.PawlException;
import dev.pawl.store.Activation;
import dev.pawl.store.Definition;
import dev.pawl.store.Routes;
import dev.pawl.store.Store;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Which program carries out which type. Thread-safe. */
public final class Programs {
  private final Map<String, Handler> types = new ConcurrentHashMap<>();
  private final Map<String, Handler> prefixes = new ConcurrentHashMap<>();
  private final DefinedTypes defined = new DefinedTypes();
  private final AtomicLong changes = new AtomicLong();
  private volatile Routing routing = new Routing(-1, Set.of(), Routes.of());

  /** Routes as they were after so many changes. */
  private record Routing(long changes, Set<String> only, Routes routes) {}

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
    changes.incrementAndGet();
  }

  /** Adds what carries out all types that have a definition of its kind in the store. */
  public void add(DefinedProgram program) {
    if (!defined.add(program)) {
      throw PawlException.conflict("the kind '" + program.kind() + "' is registered already");
    }
  }

  /** Takes note of a definition that was deployed in this process. */
  public void learn(Definition deployed) {
    defined.learn(deployed);
  }

  /** Looks up what others have deployed, if that concerns anybody here. */
  void learn(Store store) {
    if (!defined.isEmpty()) {
      defined.learn(store);
    }
  }

  /**
   * The handler for a type: its own, else that of its definition's kind, else that of the longest
   * prefix.
   */
  Optional<Handler> find(String type) {
    Handler exact = types.get(type);
    Handler named = exact == null ? defined.find(type) : exact;
    if (named != null) {
      return Optional.of(named);
    }
    return prefixes.entrySet().stream()
        .filter(entry -> type.startsWith(entry.getKey()))
        .max(Comparator.comparingInt(entry -> entry.getKey().length()))
        .map(Map.Entry::getValue);
  }

  /**
   * Whether a run stands ready in memory; not if its time is over, which may have to be looked up.
   */
  boolean isReady(Activation activation) {
    boolean late = activation.run().deadline().filter(activation::isPast).isPresent();
    return !late
        && find(activation.run().type())
            .filter(handler -> handler.program().isReady(activation))
            .isPresent();
  }

  /**
   * What to claim: everything registered, narrowed to what matches one of the patterns if there are
   * any.
   */
  Routes routes(Set<String> only) {
    long now = changes.get() + defined.changes();
    Routing known = routing;
    if (known.changes() == now && known.only().equals(only)) {
      return known.routes();
    }
    Routes fresh = findRoutes(only);
    routing = new Routing(now, only, fresh);
    return fresh;
  }

  private Routes findRoutes(Set<String> only) {
    Set<String> named = new HashSet<>(types.keySet());
    named.addAll(defined.types());
    if (only.isEmpty()) {
      return new Routes(named, prefixes.keySet());
    }
    Routes narrowed = Routes.of(only.toArray(String[]::new));
    Set<String> chosenTypes = new HashSet<>();
    Set<String> chosenPrefixes = new HashSet<>();
    named.stream().filter(narrowed::matches).forEach(chosenTypes::add);
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
