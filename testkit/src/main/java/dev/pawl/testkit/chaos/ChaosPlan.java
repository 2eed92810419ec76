package dev.pawl.testkit.chaos;

import java.time.Duration;

/**
 * What is done, and how much of it. A time of zero means never.
 *
 * @param postgres whether on a Postgres server of its own, else on a SQLite file
 * @param workers how many worker processes there are at any time
 * @param tasks how many tasks are started; one in twenty more is a flow
 * @param atLeast how long it goes on with more tasks, should these be done sooner
 * @param atMost when it is given up
 * @param lease how long the leases of the workers last
 * @param killEvery how often a worker is killed with SIGKILL, and replaced
 * @param stopEvery how often one is stopped with SIGSTOP for longer than its lease
 * @param restartEvery how often the server stops as if the power had failed, and is started again
 * @param restarts how many times at least, spread over the tasks
 * @param dropEvery the answer to every so manieth commit is lost; 0 for none
 * @param networkEvery how often connections are delayed, reset or fall silent, in turn
 */
public record ChaosPlan(
    boolean postgres,
    int workers,
    int tasks,
    Duration atLeast,
    Duration atMost,
    Duration lease,
    Duration killEvery,
    Duration stopEvery,
    Duration restartEvery,
    int restarts,
    int dropEvery,
    Duration networkEvery) {

  /** Everything at once, on Postgres. */
  public static ChaosPlan postgres(int tasks) {
    return new ChaosPlan(
        true,
        4,
        tasks,
        Duration.ZERO,
        Duration.ofMinutes(6),
        Duration.ofSeconds(3),
        Duration.ofSeconds(2),
        Duration.ofSeconds(7),
        Duration.ZERO,
        2,
        40,
        Duration.ofSeconds(5));
  }

  /** The same without what only takes time: workers that stand still, and a slow network. */
  public ChaosPlan withoutDelays() {
    return new ChaosPlan(
        postgres,
        workers,
        tasks,
        atLeast,
        atMost,
        lease,
        killEvery,
        Duration.ZERO,
        restartEvery,
        restarts,
        dropEvery * 4,
        Duration.ZERO);
  }

  /** Everything that can happen to a file, on SQLite. */
  public static ChaosPlan sqlite(int tasks) {
    return new ChaosPlan(
        false,
        4,
        tasks,
        Duration.ZERO,
        Duration.ofMinutes(6),
        Duration.ofSeconds(3),
        Duration.ofSeconds(2),
        Duration.ofSeconds(7),
        Duration.ZERO,
        0,
        0,
        Duration.ZERO);
  }

  /** The same for so long. */
  public ChaosPlan lasting(Duration time) {
    return new ChaosPlan(
        postgres,
        workers,
        tasks,
        time,
        time.plus(Duration.ofMinutes(5)),
        lease,
        killEvery,
        stopEvery,
        postgres ? Duration.ofSeconds(20) : Duration.ZERO,
        restarts,
        dropEvery,
        networkEvery);
  }
}
