package dev.pawl.bench.peers;

import java.time.Instant;
import java.util.Map;

/**
 * One engine, behind the few things the works ask of it. An adapter uses its engine as the engine's
 * own documentation recommends. What it cannot do it leaves out, and the default says so. Calls may
 * come from many threads at once, except for {@code open} and {@code close}.
 */
public interface Peer extends AutoCloseable {
  /** The counter by which is divided what a process allocates. */
  String COMMANDS = "commands";

  /**
   * Connects to a database made for this, creates the tables, starts working if the role says so.
   */
  void open(Place place) throws Exception;

  /** Version and settings in one line. */
  String settings();

  /** What an acknowledged write survives, in one line. */
  String durability();

  /**
   * Queues so many no-op tasks, all at once; each calls {@link Tally#executed} when carried out.
   */
  default void tasks(int count, String payload) throws Exception {
    throw NotPossible.because("it has no queue of tasks");
  }

  /**
   * Waits until the ends of all tasks are on record whose bodies have been carried out, where an
   * engine records so many of them at once that it matters.
   */
  default void awaitEnds() throws InterruptedException {}

  /** Carries out one flow of so many no-op steps and returns when its result is there. */
  default void flow(int steps) throws Exception {
    throw NotPossible.because("it has tasks, and no flows of steps");
  }

  /** Starts a flow that waits for a signal; returns its id when it waits. */
  default String startWaiting() throws Exception {
    throw NotPossible.because("nothing in it waits for a signal");
  }

  /** Sends the signal to a flow of {@link #startWaiting} and returns when its result is there. */
  default void signal(String id) throws Exception {
    throw NotPossible.because("nothing in it waits for a signal");
  }

  /**
   * Has so many runs sleep until a moment; each calls {@link Tally#asleep} before and {@link
   * Tally#awake} behind it.
   */
  default void sleepers(int count, Instant due) throws Exception {
    throw NotPossible.because("it cannot sleep until a moment");
  }

  /**
   * Carries out a parent that awaits so many children; returns how often the parent was resumed.
   */
  default long fanOut(int children) throws Exception {
    throw NotPossible.because("its runs have no children");
  }

  /**
   * Starts so many runs that do one step and then stay in their second, where they call {@link
   * Tally#executed}; with the role {@link Role#DOOMED} they never come back.
   */
  default void block(int count) throws Exception {
    throw NotPossible.because("a killed process takes its runs with it");
  }

  /** How many runs of {@link #block} have not ended, as the database knows it. */
  default long unfinished() throws Exception {
    throw NotPossible.because("a killed process takes its runs with it");
  }

  /** Starts so many runs that wait for a signal that never comes; returns when all of them do. */
  default void park(int count) throws Exception {
    throw NotPossible.because("nothing in it waits for a signal");
  }

  /** How many runs can be parked in reasonable time; what is measured is told per run. */
  default int mostParked() {
    return Integer.MAX_VALUE;
  }

  /** Counts that the engine keeps, such as commits; what they grew by is reported. */
  default Map<String, Long> counters() {
    return Map.of();
  }

  /** Carries out one flow of so many steps; returns the milliseconds of each thousand of them. */
  default double[] longFlow(int steps) throws Exception {
    throw NotPossible.because("this is measured of Pawl only");
  }

  /**
   * Has a flow of {@link #longFlow} that another process carried out come to its end; returns how
   * many seconds that took.
   */
  default double coldSeconds(int steps) throws Exception {
    throw NotPossible.because("this is measured of Pawl only");
  }

  /** The median time, in milliseconds, of asking the store for a few due runs. */
  default double claimMillis() throws Exception {
    throw NotPossible.because("this is measured of Pawl only");
  }

  /** Stops working and disconnects. May be opened again. */
  @Override
  void close();
}
