package dev.pawl.bench.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Who takes part: an engine on a store. */
public enum Contender {
  PAWL_POSTGRES("pawl", "postgres", Home.JAVA),
  PAWL_SQLITE("pawl", "sqlite", Home.JAVA),
  DBOS("dbos", "postgres", Home.JAVA),
  DB_SCHEDULER("db-scheduler", "postgres", Home.JAVA),
  JOBRUNR("jobrunr", "postgres", Home.JAVA),
  GRAPHILE_WORKER("graphile-worker", "postgres", Home.NODE),
  PG_BOSS("pg-boss", "postgres", Home.NODE),
  RESTATE("restate", "restate", Home.NODE),
  TEMPORAL_TEST("temporal-test", "memory", Home.JAVA);

  private enum Home {
    JAVA,
    NODE
  }

  private final String system;
  private final String store;
  private final Home home;

  Contender(String system, String store, Home home) {
    this.system = system;
    this.store = store;
    this.home = home;
  }

  /** Its name for people and for {@code --systems}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String system() {
    return system;
  }

  public String store() {
    return store;
  }

  public boolean isPawl() {
    return system.equals("pawl");
  }

  /** Whether what it acknowledges survives the process. */
  public boolean isDurable() {
    return this != TEMPORAL_TEST;
  }

  /** Starts a process of it. */
  public Child start(List<String> javaOptions) throws IOException, Child.Refused {
    return switch (home) {
      case JAVA -> Child.java(system, javaOptions);
      case NODE -> Child.start(NodePeers.command(system));
    };
  }

  /** Those that some words name: a contender's name, or a system's for all its stores. */
  public static List<Contender> parse(List<String> words) {
    Set<String> known =
        Arrays.stream(values())
            .flatMap(each -> List.of(each.word(), each.system).stream())
            .collect(Collectors.toSet());
    for (String word : words) {
      if (!known.contains(word)) {
        throw new IllegalArgumentException(
            "'" + word + "' takes no part; those that do are " + String.join(", ", words()));
      }
    }
    List<Contender> chosen = new ArrayList<>(List.of(values()));
    chosen.removeIf(each -> !words.contains(each.word()) && !words.contains(each.system));
    return chosen;
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Contender::word).toList();
  }
}
