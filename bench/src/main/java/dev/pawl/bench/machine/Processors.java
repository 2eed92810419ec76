package dev.pawl.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What of the processors' time went where, from Linux's {@code /proc}. Elsewhere everything is
 * nothing.
 */
public final class Processors {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int FIRST_IDLE = 3;
  private static final int TICKS_PER_SECOND = 100;

  private Processors() {}

  /** A reading: of all ticks, those somebody used, and those that our own processes used. */
  public record Reading(long all, long busy, long own) {
    /** The part of all processors' time since an earlier reading that strangers used, 0 to 1. */
    public double strangersSince(Reading before) {
      long ticks = all - before.all;
      return ticks <= 0
          ? 0
          : Math.clamp((double) (busy - before.busy - (own - before.own)) / ticks, 0, 1);
    }
  }

  /**
   * Reads the counts as they are now.
   *
   * @param servers processes that are ours without descending from this one, with all that descend
   *     from them
   */
  public static Reading read(List<Long> servers) {
    try {
      if (!Files.isReadable(STAT)) {
        return new Reading(0, 0, 0);
      }
      long[] ticks =
          Arrays.stream(Files.readAllLines(STAT).get(0).trim().split("\\s+"))
              .skip(1)
              .limit(8)
              .mapToLong(Long::parseLong)
              .toArray();
      long all = Arrays.stream(ticks).sum();
      return new Reading(all, all - ticks[FIRST_IDLE] - ticks[FIRST_IDLE + 1], own(servers));
    } catch (IOException e) {
      return new Reading(0, 0, 0);
    }
  }

  private static long own(List<Long> servers) {
    Set<Long> ours = new TreeSet<>();
    Stream.concat(Stream.of(ProcessHandle.current().pid()), servers.stream())
        .forEach(root ->
            ProcessHandle.of(root)
                .ifPresent(process -> {
                  ours.add(process.pid());
                  process.descendants().forEach(each -> ours.add(each.pid()));
                }));
    return ours.stream().mapToLong(pid -> ticks(pid, true)).sum();
  }

  /** User and system time of a process, and of its children that have ended. */
  private static long ticks(long pid, boolean withEnded) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      // The second field is the command in parentheses, which may hold anything.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int i = 11; i < (withEnded ? 15 : 13); i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return ticks;
    } catch (IOException e) {
      return 0;
    }
  }

  /** Seconds of processor time one process and all its descendants have used so far. */
  public static double seconds(long pid) {
    Stream<Long> family =
        Stream.concat(
            Stream.of(pid),
            ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid));
    return (double) family.mapToLong(each -> ticks(each, true)).sum() / TICKS_PER_SECOND;
  }

  /** The memory a process and its descendants have in use, in bytes. */
  public static long memory(long pid) {
    Stream<Long> family =
        Stream.concat(
            Stream.of(pid),
            ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid));
    return family.mapToLong(Processors::resident).sum();
  }

  private static long resident(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
