package dev.pawl.testkit.postgres;

import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The binaries of a Postgres other than the one on the class path: jars in a directory. */
final class Binaries implements PgBinaryResolver {
  private final Path directory;

  Binaries(Path directory) {
    this.directory = directory;
  }

  /** The archive for this machine, from whichever of the jars has it. */
  @Override
  public InputStream getPgBinary(String system, String machine) throws IOException {
    String name = archive(system, machine);
    for (Path jar : jars()) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        @Nullable ZipEntry entry = zip.getEntry(name);
        if (entry != null) {
          return new ByteArrayInputStream(zip.getInputStream(entry).readAllBytes());
        }
      }
    }
    throw new FileNotFoundException(
        "no jar in " + directory.toAbsolutePath() + " holds " + name + "; Maven puts them there");
  }

  private List<Path> jars() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }

  private static String archive(String system, String machine) {
    boolean arm = machine.toLowerCase(Locale.ROOT).matches("aarch64|arm64|arm_64");
    return "postgres-"
        + system.toLowerCase(Locale.ROOT)
        + "-"
        + (arm ? "arm_64" : "x86_64")
        + ".txz";
  }

  /** Where the embedded server unpacks the binaries of the class path. */
  static Path unpackedFromClassPath() {
    String name = archive(System.getProperty("os.name"), System.getProperty("os.arch"));
    try (@Nullable InputStream archive = PgBinaryResolver.class.getResourceAsStream("/" + name)) {
      if (archive == null) {
        throw new IllegalStateException("the class path has no binaries of Postgres: " + name);
      }
      byte[] digest = MessageDigest.getInstance("MD5").digest(archive.readAllBytes());
      return Path.of(
          System.getProperty("java.io.tmpdir"),
          "embedded-pg",
          "PG-" + HexFormat.of().formatHex(digest));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has MD5", e);
    }
  }
}
