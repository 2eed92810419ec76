package dev.pawl.testkit.sim;

import dev.pawl.json.Json;
import dev.pawl.json.JsonCodec;
import dev.pawl.json.JsonType;
import dev.pawl.store.Definition;
import dev.pawl.work.FailedException;
import dev.pawl.work.Program;
import dev.pawl.work.Retry;
import dev.pawl.work.RunType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which plan of an episode is written in which language: Java, or one of the notations. */
public final class Cast {
  /** The type of the task that plans use. */
  public static final String TASK = "sim.task.v1";

  /** Enough attempts that no number of crashes uses them up. */
  public static final int ATTEMPTS = 10_000;

  static final Duration WAIT = Duration.ofMillis(300);
  static final String FLOW = "sim.plan.v1";
  private static final String PREFIX = "sim.plan.";

  private final Map<Integer, Notation> notations = new TreeMap<>();
  private final List<Definition> definitions = new ArrayList<>();

  /**
   * Chooses by the dice; a plan that the chosen notation has no words for stays a flow.
   *
   * @param all may be none: then every plan is a flow
   */
  Cast(List<Notation> all, Dice dice, Collection<Plan> plans) {
    if (all.isEmpty()) {
      return;
    }
    for (Plan plan : plans) {
      int chosen = dice.below(all.size() + 1);
      if (chosen < all.size() && all.get(chosen).canWrite(plan)) {
        notations.put(plan.id(), all.get(chosen));
      }
    }
    for (Plan plan : plans) {
      notation(plan)
          .ifPresent(its ->
              definitions.add(Definition.of(typeName(plan), its.kind(), its.write(plan, this))));
    }
  }

  private Optional<Notation> notation(Plan plan) {
    return Optional.ofNullable(notations.get(plan.id()));
  }

  /** The kind of the plan's definition; empty if it is a flow. */
  public Optional<String> kind(Plan plan) {
    return notation(plan).map(Notation::kind);
  }

  /** The type of the plan's runs. */
  public String typeName(Plan plan) {
    return kind(plan).map(kind -> PREFIX + kind + "." + plan.id()).orElse(FLOW);
  }

  List<Definition> definitions() {
    return definitions;
  }

  static boolean isPlan(String type) {
    return type.startsWith(PREFIX);
  }

  static boolean isWrittenIn(String kind, String type) {
    return type.startsWith(PREFIX + kind + ".");
  }

  static boolean isFlow(String type) {
    return type.equals(FLOW);
  }

  RunType<Part, Json> type(Plan plan) {
    return new Role(typeName(plan));
  }

  /** The text that a run gave. */
  public static String text(@Nullable Json result) {
    Json given = Objects.requireNonNull(result);
    Json plain = given.text().startsWith("{") ? given.member("out") : given;
    return String.valueOf(JsonCodec.decode(plain, String.class));
  }

  /** What others need to know of a plan to start a run of it. */
  private record Role(String type) implements RunType<Part, Json> {
    @Override
    public JsonType<Part> input() {
      return JsonType.of(Part.class);
    }

    @Override
    public JsonType<Json> output() {
      return JsonType.of(Json.class);
    }

    @Override
    public Retry retry() {
      return Retry.fixed(ATTEMPTS, WAIT).unless(FailedException.class);
    }

    @Override
    public Program program() {
      throw new UnsupportedOperationException(
          type + " is carried out by its flow or its definition; this is for starting it");
    }
  }
}
