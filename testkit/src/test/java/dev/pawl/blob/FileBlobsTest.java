package dev.pawl.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.Pawl;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.store.Store;
import dev.pawl.store.memory.MemoryStore;
import dev.pawl.testkit.contract.DurableBlobContract;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBlobsTest extends DurableBlobContract {
  @TempDir Path directory;

  @Override
  protected Store open(InstantSource clock) {
    return new MemoryStore(clock);
  }

  @Override
  protected Blobs blobs(Store opened, InstantSource clock) {
    return opened.blobs().in(new FileBlobs(directory, clock));
  }

  private Path file(Blob blob) {
    return directory.resolve(blob.sha256().substring(0, 2)).resolve(blob.sha256());
  }

  @Override
  protected void damage(Blob blob) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(file(blob).toFile(), "rw")) {
      file.seek(blob.length() - 1);
      int last = file.read();
      file.seek(blob.length() - 1);
      file.write(last ^ 1);
    }
  }

  @Override
  protected void shorten(Blob blob) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(file(blob).toFile(), "rw")) {
      file.setLength(blob.length() - 1);
    }
  }

  @Test
  void aFileThatAProcessLeftUnfinishedGoesWhenItIsOld() throws Exception {
    Path old = directory.resolve("unfinished/old");
    Path young = directory.resolve("unfinished/young");
    Files.writeString(old, "half of someth");
    Files.setLastModifiedTime(old, FileTime.from(store.now().minusMillis(1)));
    Files.writeString(young, "half of someth");
    Files.setLastModifiedTime(young, FileTime.from(store.now()));

    blobs.collect(store.now());

    assertThat(old).doesNotExist();
    assertThat(young).exists();
  }

  @Test
  void writingLeavesNoOtherFiles() throws Exception {
    Blob blob = blobs.write(out -> out.write(content(100, 30)));

    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile))
          .containsExactlyInAnyOrder(file(blob), directory.resolve("lock"));
    }
  }

  @Test
  void anAddressNamesTheDirectory() throws Exception {
    Path other = directory.resolve("other");
    try (Pawl pawl = Pawl.open("memory:", "file:" + other)) {
      Blob blob = pawl.blobs().write(out -> out.write(content(100, 31)));

      assertThat(other.resolve(blob.sha256().substring(0, 2)).resolve(blob.sha256())).exists();
    }
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> Pawl.open("memory:", "s3://bucket"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_INPUT))
        .withMessageContaining("file:/DIRECTORY");
  }
}
