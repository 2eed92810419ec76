package dev.pawl.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engines from npm. Their packages are installed below {@code bench/target} when the first of
 * them is asked for.
 */
final class NodePeers {
  private static final int INSTALL_MINUTES = 5;
  private static @Nullable Path installed;

  private NodePeers() {}

  /**
   * How to start one of them; refused where there is no Node, or its packages cannot be fetched.
   */
  static synchronized List<String> command(String system) throws IOException, Child.Refused {
    if (installed == null) {
      installed = install();
    }
    return List.of("node", installed.resolve("host.mjs").toString(), system);
  }

  private static Path install() throws IOException, Child.Refused {
    Path home = home();
    Path target = home.resolve("target/peers-npm");
    Files.createDirectories(target);
    try (Stream<Path> files = Files.list(home.resolve("peers-npm"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    run(target, "node", "--version");
    Path mark = target.resolve("node_modules/.package-lock.json");
    Path lock = target.resolve("package-lock.json");
    if (!Files.exists(mark)
        || Files.getLastModifiedTime(mark).compareTo(Files.getLastModifiedTime(lock)) < 0) {
      run(target, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
    }
    return target;
  }

  /** The directory of this module: told by the launcher, else found from where we are. */
  private static Path home() throws Child.Refused {
    String told = System.getProperty("pawl.bench.home", "");
    if (!told.isEmpty()) {
      return Path.of(told);
    }
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      for (Path candidate : List.of(at, at.resolve("bench"))) {
        if (Files.exists(candidate.resolve("peers-npm/package.json"))) {
          return candidate;
        }
      }
    }
    throw Child.Refused.because("missing", "bench/peers-npm is not here");
  }

  private static void run(Path directory, String... command) throws Child.Refused {
    String words = String.join(" ", command);
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw Child.Refused.because("missing", "'" + words + "' took too long");
      }
      if (process.exitValue() != 0) {
        throw Child.Refused.because(
            "missing", "'" + words + "' failed with exit code " + process.exitValue());
      }
    } catch (IOException e) {
      throw Child.Refused.because("missing", "'" + command[0] + "' cannot be run");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Child.Refused.because("missing", "interrupted");
    }
  }
}
