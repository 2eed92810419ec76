package dev.pawl.bench.peers;

import java.util.Arrays;
import java.util.List;

/**
 * The engines that run on the JVM, by name. Adapters are found by class name: one whose engine
 * could not be fetched is not there.
 */
public enum Peers {
  PAWL("pawl", "PawlPeer"),
  DBOS("dbos", "DbosPeer"),
  DB_SCHEDULER("db-scheduler", "DbSchedulerPeer"),
  JOBRUNR("jobrunr", "JobRunrPeer"),
  TEMPORAL("temporal-test", "TemporalPeer");

  private final String word;
  private final String adapter;

  Peers(String word, String adapter) {
    this.word = word;
    this.adapter = adapter;
  }

  public String word() {
    return word;
  }

  /** The adapter of a name; throws if there is none, or if its engine is not there. */
  public static Peer make(String word) throws ReflectiveOperationException {
    Peers found =
        Arrays.stream(values())
            .filter(each -> each.word.equals(word))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "'" + word + "' is no engine with an adapter here; there are " + words()));
    Class<?> type = Class.forName(Peers.class.getPackageName() + "." + found.adapter);
    return (Peer) type.getDeclaredConstructor().newInstance();
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(Peers::word).toList();
  }
}
