package dev.pawl.work;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.Event;
import dev.pawl.log.Run;
import dev.pawl.store.Definition;
import dev.pawl.store.Store;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The types whose programs are definitions in the store, as far as they were looked up, and who
 * carries them out. Thread-safe.
 */
final class DefinedTypes {
  private static final int KEPT_DEFINITIONS = 256;
  private static final Duration UNKNOWN_DELAY = Duration.ofSeconds(30);
  private static final Duration TROUBLE_DELAY = Duration.ofSeconds(1);

  private final Map<String, Programs.Handler> kinds = new ConcurrentHashMap<>();
  private final Map<String, DefinedProgram> programs = new ConcurrentHashMap<>();

  /** The kind of the newest definition of each type. */
  private final Map<String, String> types = new ConcurrentHashMap<>();

  private final AtomicLong changes = new AtomicLong();

  /** Definitions never change, so those used last need not be read again. */
  private final Map<String, Definition> definitions =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Definition> eldest) {
              return size() > KEPT_DEFINITIONS;
            }
          });

  /** Adds a kind; false if there was one of this name. */
  boolean add(DefinedProgram program) {
    boolean added = programs.putIfAbsent(program.kind(), program) == null;
    Program.Direct each = this::run;
    kinds.put(program.kind(), new Programs.Handler(each, program.retry()));
    changes.incrementAndGet();
    return added;
  }

  boolean isEmpty() {
    return kinds.isEmpty();
  }

  /** Looks up what has been deployed since the last time. */
  void learn(Store store) {
    for (String type : store.definedTypes()) {
      if (!types.containsKey(type)) {
        store.newestDefinition(type).ifPresent(this::learn);
      }
    }
  }

  void learn(Definition deployed) {
    if (!deployed.kind().equals(types.put(deployed.type(), deployed.kind()))) {
      changes.incrementAndGet();
    }
  }

  /** How often {@link #types} may have changed; counted after the change. */
  long changes() {
    return changes.get();
  }

  /** The types there are programs for. */
  Set<String> types() {
    return types.entrySet().stream()
        .filter(type -> kinds.containsKey(type.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  Programs.@Nullable Handler find(String type) {
    String kind = types.get(type);
    return kind == null ? null : kinds.get(kind);
  }

  /**
   * Carries out a turn. If the store could not be read the run goes back as it is: that is no
   * failure of its program, uses up no attempt, and makes no script start over.
   */
  private Event.TurnEnd run(Turn turn) throws Exception {
    try {
      return carryOut(turn);
    } catch (PawlException e) {
      if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
        throw e;
      }
      return new Event.Released(
          "the store could not be read: " + e.getMessage(), turn.now().plus(TROUBLE_DELAY));
    }
  }

  private Event.TurnEnd carryOut(Turn turn) throws Exception {
    Run run = turn.run();
    Optional<Definition> definition =
        run.definition().isPresent()
            ? pinned(turn, run.definition().get())
            : turn.archive().newestDefinition(run.type());
    @Nullable DefinedProgram program =
        definition.map(found -> programs.get(found.kind())).orElse(null);
    if (definition.isEmpty() || program == null) {
      return new Event.Released(unknown(run, definition), turn.now().plus(UNKNOWN_DELAY));
    }
    if (run.definition().isEmpty()) {
      turn.record(new Event.Pinned(definition.get().hash()));
    }
    return program.run(turn, definition.get());
  }

  private Optional<Definition> pinned(Turn turn, String hash) {
    Definition kept = definitions.get(hash);
    if (kept != null) {
      return Optional.of(kept);
    }
    Optional<Definition> found = turn.archive().definition(hash);
    found.ifPresent(definition -> definitions.put(hash, definition));
    return found;
  }

  private String unknown(Run run, Optional<Definition> definition) {
    return definition.isEmpty()
        ? "the definition " + run.definition().orElse("of " + run.type()) + " is not in the store"
        : "the definition of "
            + run.type()
            + " is of kind '"
            + definition.get().kind()
            + "', and this worker knows "
            + List.copyOf(kinds.keySet());
  }
}
