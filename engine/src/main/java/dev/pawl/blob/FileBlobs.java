package dev.pawl.blob;

import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.time.Ids;
import java.io.BufferedInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Blobs as files in a directory, which several processes may share. A file is written under another
 * name, brought to the disk, and then named by its hash: what has the name of a blob is whole. Its
 * time of change says when the blob was last written. Thread-safe.
 */
public final class FileBlobs implements BlobStore {
  private static final String SCHEME = "file:";
  private static final String UNFINISHED = "unfinished";
  private static final String LOCK = "lock";
  private static final int BUFFER_BYTES = 64 * 1024;

  /** A file lock holds between processes; within this one, this does. */
  private static final ReentrantLock LOCAL = new ReentrantLock();

  private final Path directory;
  private final InstantSource clock;

  public FileBlobs(Path directory, InstantSource clock) {
    this.directory = directory;
    this.clock = clock;
    try {
      Files.createDirectories(directory.resolve(UNFINISHED));
    } catch (IOException e) {
      throw unavailable("cannot be made", e);
    }
  }

  /**
   * The directory that an address names, such as {@code file:/var/lib/pawl/blobs}.
   *
   * @throws PawlException with {@code BAD_INPUT}
   */
  public static FileBlobs at(String url, InstantSource clock) {
    String path = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : "";
    try {
      if (!path.isBlank()) {
        return new FileBlobs(Path.of(path.startsWith("///") ? path.substring(2) : path), clock);
      }
    } catch (InvalidPathException e) {
      throw PawlException.badInput("'" + url + "' names no possible directory: " + e.getMessage());
    }
    throw PawlException.badInput(
        "blobs were to be kept at '"
            + url
            + "', which is no address Pawl knows; write file:/DIRECTORY, or nothing to keep them in"
            + " the store");
  }

  // ---- writing ----

  @Override
  public Blob write(Content content) throws IOException {
    Path draft = directory.resolve(UNFINISHED).resolve(Ids.next().toString());
    try {
      Blob blob = fill(draft, content);
      publish(draft, file(blob.sha256()));
      return blob;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private Blob fill(Path draft, Content content) throws IOException {
    try (FileChannel channel = opened(draft);
        Measured out = new Measured(Channels.newOutputStream(channel))) {
      content.writeTo(out);
      out.flush();
      channel.force(true);
      return new Blob(Verified.hash(out.digest), out.length);
    }
  }

  private FileChannel opened(Path draft) {
    try {
      return FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw unavailable("cannot be written", e);
    }
  }

  /** Counts and hashes what goes through. What the disk refuses is the store's trouble. */
  private final class Measured extends FilterOutputStream {
    private final MessageDigest digest = Verified.digest();
    private long length;

    Measured(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) {
      try {
        out.write(bytes, offset, count);
      } catch (IOException e) {
        throw unavailable("cannot be written", e);
      }
      digest.update(bytes, offset, count);
      length += count;
    }
  }

  private void publish(Path draft, Path file) {
    locked(() -> {
      Files.createDirectories(parent(file));
      Files.setLastModifiedTime(draft, FileTime.from(clock.instant()));
      try {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      } catch (AtomicMoveNotSupportedException e) {
        throw new IOException("its file system cannot rename files", e);
      }
      sync(parent(file));
      sync(directory);
      return true;
    });
  }

  /** Brings the names in a directory to the disk. */
  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  // ---- reading ----

  @Override
  public InputStream open(String hash) {
    Path file = file(Blob.checkHash(hash));
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      Blob blob = new Blob(hash, channel.size());
      InputStream content = new BufferedInputStream(Channels.newInputStream(channel), BUFFER_BYTES);
      return new Verified(content, blob, where());
    } catch (NoSuchFileException e) {
      throw PawlException.notFound("there is no blob " + hash + " in " + where());
    } catch (IOException e) {
      throw unavailable("cannot be read", e);
    }
  }

  // ---- collecting ----

  @Override
  public boolean delete(String hash, Instant writtenBefore) {
    Path file = file(Blob.checkHash(hash));
    return locked(
        () -> Files.exists(file) && isBefore(file, writtenBefore) && Files.deleteIfExists(file));
  }

  @Override
  public List<Kept> list(String after, Instant writtenBefore, int limit) {
    List<Kept> found = new ArrayList<>();
    for (Path shelf : children(directory)) {
      String first = shelf.getFileName().toString();
      boolean behind = first.compareTo(after.substring(0, Math.min(2, after.length()))) >= 0;
      if (first.length() == 2 && behind && found.size() < limit) {
        children(shelf).stream()
            .filter(file -> file.getFileName().toString().compareTo(after) > 0)
            .flatMap(file -> kept(file, writtenBefore))
            .limit(limit - found.size())
            .forEach(found::add);
      }
    }
    return found;
  }

  private Stream<Kept> kept(Path file, Instant writtenBefore) {
    try {
      Instant at = Files.getLastModifiedTime(file).toInstant();
      String hash = file.getFileName().toString();
      return at.isBefore(writtenBefore)
          ? Stream.of(new Kept(new Blob(hash, Files.size(file)), at))
          : Stream.empty();
    } catch (NoSuchFileException e) {
      return Stream.empty();
    } catch (IOException e) {
      throw unavailable("cannot be read", e);
    }
  }

  @Override
  public void dropUnfinished(Instant begunBefore) {
    for (Path draft : children(directory.resolve(UNFINISHED))) {
      try {
        if (isBefore(draft, begunBefore)) {
          Files.deleteIfExists(draft);
        }
      } catch (NoSuchFileException e) {
        // Somebody has finished it.
      } catch (IOException e) {
        throw unavailable("cannot be cleaned", e);
      }
    }
  }

  private static boolean isBefore(Path file, Instant moment) throws IOException {
    return Files.getLastModifiedTime(file).toInstant().isBefore(moment);
  }

  private List<Path> children(Path of) {
    try (Stream<Path> children = Files.list(of)) {
      return children.sorted().toList();
    } catch (IOException e) {
      throw unavailable("cannot be listed", e);
    }
  }

  // ---- what they share ----

  @Override
  public String where() {
    return "the directory " + directory;
  }

  private Path file(String hash) {
    return directory.resolve(hash.substring(0, 2)).resolve(hash);
  }

  private Path parent(Path file) {
    Path parent = file.getParent();
    return parent == null ? directory : parent;
  }

  private interface Change {
    boolean make() throws IOException;
  }

  /** Nobody gives a file the name of a blob while another looks whether it may go. */
  private boolean locked(Change change) {
    LOCAL.lock();
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      return held.isValid() && change.make();
    } catch (IOException e) {
      throw unavailable("cannot be changed", e);
    } finally {
      LOCAL.unlock();
    }
  }

  private PawlException unavailable(String what, IOException e) {
    return new PawlException(
        ErrorCode.STORE_UNAVAILABLE,
        "the directory of blobs " + directory + " " + what + ": " + e.getMessage(),
        e);
  }
}
