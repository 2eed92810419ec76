package dev.pawl.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * SQLite's native library beside the jar. The driver would otherwise unpack it into the temporary
 * directory at every start, which takes a third of the time of a short command, and leave it there
 * if the process is killed.
 */
final class NativeSqlite {
  private static final String PATH = "org.sqlite.lib.path";
  private static final String NAME = "org.sqlite.lib.name";

  private NativeSqlite() {}

  /** Points the driver to the unpacked library, if there is one that belongs to this jar. */
  static void use() {
    Optional<Path> jar = jar();
    if (jar.isEmpty() || System.getProperty(PATH) != null) {
      return;
    }
    Path directory = directory(jar.get());
    String name = System.mapLibraryName("sqlitejdbc");
    try {
      FileTime unpacked = Files.getLastModifiedTime(directory.resolve(name));
      if (unpacked.compareTo(Files.getLastModifiedTime(jar.get())) > 0) {
        System.setProperty(PATH, directory.toString());
        System.setProperty(NAME, name);
      }
    } catch (IOException e) {
      // Not unpacked: the driver does it in its own way.
    }
  }

  /** Unpacks the library, where the jar's directory can be written to. */
  static void unpack() throws IOException {
    Optional<Path> jar = jar();
    if (jar.isEmpty()) {
      return;
    }
    String name = LibraryLoaderUtil.getNativeLibName();
    String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
    try (InputStream in = NativeSqlite.class.getResourceAsStream(resource)) {
      if (in != null) {
        Path directory = Files.createDirectories(directory(jar.get()));
        Path unpacked = Files.createTempFile(directory, "unpacking", "");
        Files.copy(in, unpacked, StandardCopyOption.REPLACE_EXISTING);
        Files.move(unpacked, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  private static Path directory(Path jar) {
    return jar.resolveSibling("sqlite-native");
  }

  /** The jar this runs from, if it is one. */
  private static Optional<Path> jar() {
    String path = System.getProperty("java.class.path", "");
    return path.endsWith("pawl.jar") && path.indexOf(java.io.File.pathSeparatorChar) < 0
        ? Optional.of(Path.of(path).toAbsolutePath())
        : Optional.empty();
  }
}
