package dev.pawl.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.error.PawlException;
import dev.pawl.json.Json;
import dev.pawl.log.Bond;
import dev.pawl.log.Entry;
import dev.pawl.log.Event;
import dev.pawl.log.EventCodec;
import dev.pawl.log.Failure;
import dev.pawl.log.Run;
import dev.pawl.log.RunId;
import dev.pawl.log.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Draws docs/states.md: the moves from {@link Status#next}, and beside each the events that make
 * it, found by applying every event to a run in every state.
 */
class StatesTest {
  private static final String REGENERATE =
      "mvn test -Dtest=StatesTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Dpawl.regenerate=true";
  private static final Path PAGE = SourceTree.read().root().resolve("docs/states.md");

  private static final RunId ID = new RunId(new UUID(0x7000, 0x8000_0000_0000_0000L));
  private static final Instant NOW = Instant.EPOCH;
  private static final Failure WRONG = Failure.of("ERROR", "it went wrong");

  private static final Event CREATED =
      new Event.Created(
          "shop.checkout.v1",
          Json.NULL,
          100,
          NOW,
          Optional.empty(),
          3,
          Optional.empty(),
          ID,
          Bond.DETACHED,
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          0,
          Optional.empty());
  private static final Event LEASED = new Event.Leased("w", 1, NOW, 1, false, 0, 1);
  private static final Event RESUMED = new Event.Leased("w", 2, NOW, 1, true, 0, 2);
  private static final Event SUSPENDED =
      new Event.Suspended(Optional.of(NOW), List.of(), 0, false, Json.NULL);

  /**
   * A log for every state; two for running, since a turn that is given back goes whence it came.
   */
  private static final List<List<Event>> LOGS =
      List.of(
          List.of(CREATED),
          List.of(CREATED, LEASED),
          List.of(CREATED, LEASED, SUSPENDED, RESUMED),
          List.of(CREATED, LEASED, SUSPENDED),
          List.of(CREATED, LEASED, new Event.Succeeded(Json.NULL)),
          List.of(CREATED, LEASED, new Event.Failed(WRONG)),
          List.of(CREATED, LEASED, new Event.Cancelled("")));

  private static final List<Event> MOVES =
      List.of(
          LEASED,
          SUSPENDED,
          new Event.Retried(WRONG, NOW, false),
          new Event.Released("", NOW),
          new Event.Succeeded(Json.NULL),
          new Event.Failed(WRONG),
          new Event.Cancelled(""),
          new Event.Rewound("rewind", 1, NOW, ""));

  private record Move(Status from, Status to) {}

  @Test
  void everyMoveOfTheTableHasAnEventThatMakesIt() {
    Set<Move> table = new java.util.HashSet<>();
    for (Status from : Status.values()) {
      from.next().forEach(to -> table.add(new Move(from, to)));
    }
    assertThat(moves().keySet()).isEqualTo(table);
  }

  @Test
  void theDiagramIsCurrent() throws IOException {
    if (Boolean.getBoolean("pawl.regenerate")) {
      Files.writeString(PAGE, page());
    }
    assertThat(PAGE).exists();
    assertThat(Files.readString(PAGE))
        .as("docs/states.md is not what the code says; draw it anew with: " + REGENERATE)
        .isEqualTo(page());
  }

  /** Which events lead from which state to which. */
  private static Map<Move, Set<String>> moves() {
    Map<Move, Set<String>> moves = new LinkedHashMap<>();
    for (List<Event> log : LOGS) {
      Run run = fold(log);
      for (Event event : MOVES) {
        after(run, event)
            .ifPresent(end ->
                moves
                    .computeIfAbsent(new Move(run.status(), end), move -> new TreeSet<>())
                    .add(EventCodec.kind(event)));
      }
    }
    return moves;
  }

  private static Run fold(List<Event> events) {
    Run run = Run.created(ID, new Entry(1, NOW, 0, events.get(0)));
    for (Event event : events.subList(1, events.size())) {
      run = run.apply(new Entry(1, NOW, 0, event));
    }
    return run;
  }

  private static Optional<Status> after(Run run, Event event) {
    try {
      return Optional.of(run.apply(new Entry(1, NOW, 0, event)).status());
    } catch (PawlException impossible) {
      return Optional.empty();
    }
  }

  private static String page() {
    StringBuilder diagram = new StringBuilder("stateDiagram-v2\n  [*] --> pending: created\n");
    StringBuilder table = new StringBuilder("| from | to | by |\n|---|---|---|\n");
    moves()
        .forEach((move, kinds) -> {
          String from = move.from().word();
          String to = move.to().word();
          diagram.append("  %s --> %s: %s\n".formatted(from, to, String.join(", ", kinds)));
          table.append("| %s | %s | `%s` |\n".formatted(from, to, String.join("`, `", kinds)));
        });
    return """
    # The states of a run

    <!-- Drawn by StatesTest from Status.next() and Run.apply(); do not edit. To draw it anew:
         %s -->

    ```mermaid
    %s```

    A run is *pending* from its creation, and again after an attempt that failed and is to be repeated; *running* while a worker
    holds its lease; *suspended* while it waits for a time or a message. The other three are ends. `leased` out of *running*
    is the claim of a run whose lease has expired. `released` gives a run back unharmed, to where it was taken from. `rewound`
    is an operator's retry or rewind, and the only way out of an end.

    %s\
    """
        .formatted(REGENERATE, diagram, table);
  }
}
