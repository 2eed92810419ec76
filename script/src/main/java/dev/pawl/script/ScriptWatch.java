package dev.pawl.script;

import dev.pawl.Pawl;
import dev.pawl.error.PawlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys the scripts of a directory, and again each that changes. A script with errors is reported
 * in the log and left out until it changes again; what was deployed before stays.
 */
public final class ScriptWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScriptWatch.class);
  private static final long LOOK_MILLIS = 200;

  private final Pawl pawl;
  private final Path directory;
  private final Map<Path, Stamp> known = new HashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  /** What tells one state of a file from another without reading it. */
  private record Stamp(FileTime at, long size) {}

  ScriptWatch(Pawl pawl, Path directory) {
    this.pawl = pawl;
    this.directory = directory;
    if (!Files.isDirectory(directory)) {
      throw PawlException.notFound("there is no directory " + directory + " to watch");
    }
    look();
    this.thread = Thread.ofPlatform().daemon().name("pawl-scripts").start(this::watch);
  }

  private void watch() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void look() {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> scripts =
          files.filter(file -> file.toString().endsWith(Scripts.SUFFIX)).sorted().toList();
      for (Path script : scripts) {
        Stamp stamp = new Stamp(Files.getLastModifiedTime(script), Files.size(script));
        if (!stamp.equals(known.put(script, stamp))) {
          deploy(script);
        }
      }
    } catch (IOException e) {
      LOG.warn("the scripts in {} cannot be looked at: {}", directory, e.getMessage());
    }
  }

  private void deploy(Path script) {
    try {
      LOG.info("deployed {} from {}", Scripts.deploy(pawl, script).type(), script);
    } catch (PawlException e) {
      LOG.warn("{} was not deployed: {}", script, e.getMessage());
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
