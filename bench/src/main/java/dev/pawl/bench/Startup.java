package dev.pawl.bench;

import dev.pawl.bench.host.Child;
import dev.pawl.bench.host.Contender;
import dev.pawl.bench.machine.Database;
import dev.pawl.bench.works.Measured;
import dev.pawl.bench.works.Order;
import dev.pawl.bench.works.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From the start of a process, over opening an empty database, to the first result. The size is
 * that of all jars which classes came from, or of the npm packages.
 */
final class Startup {
  private static final Pattern JAR = Pattern.compile("source: (?:jar:)?file:(\\S+\\.jar)");

  private final Path directory;

  Startup(Path directory) {
    this.directory = directory;
  }

  Play.Played play(Contender contender, Database database) throws Child.Refused, IOException {
    Path loaded = Files.createTempFile(directory, "classes", ".log");
    long start = System.nanoTime();
    Child.Opened opened;
    double seconds;
    double bytes;
    try (Child child = contender.start(List.of("-Xlog:class+load:file=" + loaded))) {
      opened = child.open(Play.place(database, "alone", 1));
      child.measure(new Order(Work.STARTUP, 1, 1, 60, 0));
      seconds = (System.nanoTime() - start) / 1e9;
      bytes = child.tell("size", 0, "bytes");
      child.tell("close", 0);
    }
    double size = bytes > 0 ? bytes : jars(loaded, contender);
    return new Play.Played(
        opened,
        new Measured(
            1, seconds, seconds * 1000, seconds * 1000, Map.of("megabytesOnDisk", size / 1e6)));
  }

  /** Without the bench's own, and without drivers that were only looked at. */
  private static double jars(Path loaded, Contender contender) throws IOException {
    try (Stream<String> lines = Files.lines(loaded)) {
      return lines
          .map(JAR::matcher)
          .filter(Matcher::find)
          .map(found -> found.group(1))
          .filter(jar -> isOf(contender, Path.of(jar).getFileName().toString()))
          .collect(Collectors.toSet())
          .stream()
          .mapToLong(jar -> Path.of(jar).toFile().length())
          .sum();
    }
  }

  private static boolean isOf(Contender contender, String jar) {
    if (jar.startsWith("pawl-bench") || jar.startsWith("pawl-cli")) {
      return false;
    }
    if (jar.startsWith("sqlite-jdbc")) {
      return contender.store().equals("sqlite");
    }
    if (jar.startsWith("postgresql")) {
      return contender.store().equals("postgres");
    }
    return contender.isPawl() || !jar.startsWith("pawl-");
  }
}
