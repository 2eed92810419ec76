package dev.pawl.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.blob.Blob;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import org.junit.jupiter.api.Test;

/** What blobs must do whose content can be damaged behind their store's back. */
public abstract class DurableBlobContract extends BlobContract {
  private static final int LENGTH = 1024 * 1024 + 500;

  /** Changes the last byte of the content, past any check. */
  protected abstract void damage(Blob blob) throws Exception;

  /** Takes the last byte of the content away. */
  protected abstract void shorten(Blob blob) throws Exception;

  private void assertCorrupt(Blob blob) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> read(blob))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
        .withMessageContaining(blob.sha256());
  }

  @Test
  void contentThatWasChangedIsOneClearError() throws Exception {
    Blob blob = blobs.write(out -> out.write(content(LENGTH, 20)));

    damage(blob);

    assertCorrupt(blob);
  }

  @Test
  void contentThatBecameShorterIsOneClearError() throws Exception {
    Blob blob = blobs.write(out -> out.write(content(LENGTH, 21)));

    shorten(blob);

    assertCorrupt(blob);
  }
}
