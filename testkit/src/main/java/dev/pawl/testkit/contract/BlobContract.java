package dev.pawl.testkit.contract;

import static dev.pawl.testkit.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pawl.blob.Blob;
import dev.pawl.blob.Blobs;
import dev.pawl.error.ErrorCode;
import dev.pawl.error.PawlException;
import dev.pawl.log.RunId;
import dev.pawl.store.Store;
import dev.pawl.testkit.ManualClock;
import dev.pawl.testkit.StoreFixture;
import dev.pawl.testkit.Turn;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What blobs must do, wherever their content is. A test extends this class, and says how the store
 * is opened and where it keeps blobs.
 */
public abstract class BlobContract {
  private static final int CHUNK = 1024 * 1024;
  private static final Duration DAY = Duration.ofDays(1);

  protected StoreFixture store;
  protected Blobs blobs;

  /** Opens a fresh, empty store. The contract closes it. */
  protected abstract Store open(InstantSource clock) throws Exception;

  /** Its blobs, which may be elsewhere, but empty. */
  protected Blobs blobs(Store opened, InstantSource clock) throws Exception {
    return opened.blobs();
  }

  @BeforeEach
  final void openStore() throws Exception {
    ManualClock clock = new ManualClock();
    store = new StoreFixture(open(clock), clock);
    blobs = blobs(store.store(), clock);
  }

  @AfterEach
  final void closeStore() {
    store.close();
  }

  /** Content of this length that no other seed has. */
  protected static byte[] content(int length, long seed) {
    byte[] bytes = new byte[length];
    long state = seed;
    for (int i = 0; i < length; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      bytes[i] = (byte) (state >>> 56);
    }
    return bytes;
  }

  protected final byte[] read(Blob blob) throws IOException {
    try (InputStream in = blobs.open(blob)) {
      return in.readAllBytes();
    }
  }

  private RunId run() {
    return store.start(newRun());
  }

  private Turn ended() {
    Turn turn = store.begin();
    turn.succeed();
    return turn;
  }

  private void purge(RunId run) {
    store.delete(run);
    store.clock().advanceMillis(1);
    store.purge(Duration.ZERO, DAY, 100);
  }

  private int collect() {
    return blobs.collect(store.now().minus(DAY));
  }

  private void assertGone(Blob blob) {
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> read(blob))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .withMessageContaining(blob.sha256());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 17})
  void whatIsWrittenIsReadBack(int length) throws Exception {
    byte[] bytes = content(length, 1);

    Blob blob = blobs.write(run(), out -> out.write(bytes));

    byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
    assertThat(blob).isEqualTo(new Blob(HexFormat.of().formatHex(hash), length));
    assertThat(read(blob)).isEqualTo(bytes);
  }

  @Test
  void howTheContentIsCutByWhoWritesItDoesNotMatter() throws Exception {
    byte[] bytes = content(2 * CHUNK + 5, 2);

    Blob inPieces =
        blobs.write(out -> {
          for (int at = 0; at < bytes.length; at += 999_983) {
            out.write(bytes, at, Math.min(999_983, bytes.length - at));
          }
        });
    Blob whole = blobs.write(out -> out.write(bytes));

    assertThat(inPieces).isEqualTo(whole);
    assertThat(read(whole)).isEqualTo(bytes);
  }

  @Test
  void byteByByteIsTheSame() throws Exception {
    byte[] bytes = content(3000, 3);

    Blob blob =
        blobs.write(out -> {
          for (byte one : bytes) {
            out.write(one);
          }
        });

    try (InputStream in = blobs.open(blob)) {
      for (byte one : bytes) {
        assertThat((byte) in.read()).isEqualTo(one);
      }
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void anUnknownHashIsNotFoundAndANonsenseOneIsRefused() {
    assertGone(new Blob("ab".repeat(32), 1));
    assertThatExceptionOfType(PawlException.class)
        .isThrownBy(() -> blobs.open("../../etc/passwd"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_INPUT));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 2 * CHUNK})
  void contentThatBreaksOffLeavesNothing(int length) throws Exception {
    byte[] bytes = content(length, 4);

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            blobs.write(out -> {
              out.write(bytes);
              throw new IOException("the line is dead");
            }))
        .withMessage("the line is dead");

    Blob blob = blobs.write(out -> out.write(bytes));
    assertThat(read(blob)).isEqualTo(bytes);
  }

  @Test
  void whatARunNeedsStaysUntilTheRunIsPurged() throws Exception {
    Turn turn = ended();
    Blob blob = blobs.write(turn.id(), out -> out.write(content(2 * CHUNK, 5)));
    store.clock().advance(DAY.multipliedBy(2));

    assertThat(collect()).isZero();
    assertThat(read(blob)).hasSize(2 * CHUNK);

    purge(turn.id());
    assertThat(collect()).isEqualTo(1);
    assertGone(blob);
    assertThat(collect()).isZero();
  }

  @Test
  void whatTwoRunsNeedStaysAsLongAsOneOfThem() throws Exception {
    Turn first = ended();
    Turn second = ended();
    Blob blob = blobs.write(first.id(), out -> out.write(content(100, 6)));
    blobs.refer(second.id(), List.of(blob.sha256()));
    blobs.refer(second.id(), List.of(blob.sha256()));
    store.clock().advance(DAY.multipliedBy(2));

    purge(first.id());
    assertThat(collect()).isZero();
    assertThat(read(blob)).hasSize(100);

    purge(second.id());
    assertThat(collect()).isEqualTo(1);
  }

  @Test
  void whatWasJustWrittenStaysThoughNobodyRefersToIt() throws Exception {
    Blob blob = blobs.write(out -> out.write(content(100, 7)));
    store.clock().advance(DAY);

    assertThat(collect()).isZero();

    store.clock().advanceMillis(1);
    assertThat(collect()).isEqualTo(1);
    assertGone(blob);
  }

  @Test
  void whatIsWrittenAgainIsKeptOnceAndIsNewAgain() throws Exception {
    Blob first = blobs.write(out -> out.write(content(CHUNK + 1, 8)));
    Instant between = store.clock().advance(DAY);
    store.clock().advance(DAY);
    Blob second = blobs.write(out -> out.write(content(CHUNK + 1, 8)));

    assertThat(second).isEqualTo(first);
    assertThat(blobs.collect(between)).isZero();
    assertThat(collect()).isZero();
    store.clock().advance(DAY.multipliedBy(2));
    assertThat(collect()).isEqualTo(1);
  }

  @Test
  void manyAreCollectedAndThoseThatAreNeededAreNot() throws Exception {
    RunId run = run();
    List<Blob> needed = new ArrayList<>();
    for (int i = 0; i < 450; i++) {
      byte[] bytes = content(10, 1000 + i);
      if (i % 100 == 7) {
        needed.add(blobs.write(run, out -> out.write(bytes)));
      } else {
        blobs.write(out -> out.write(bytes));
      }
    }
    store.clock().advance(DAY.multipliedBy(2));

    assertThat(collect()).isEqualTo(450 - needed.size());
    for (Blob blob : needed) {
      assertThat(read(blob)).hasSize(10);
    }
  }

  @Test
  void theSameContentWrittenByManyAtOnceIsKeptOnce() throws Exception {
    byte[] bytes = content(CHUNK + 100, 9);
    List<Future<Blob>> written = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        written.add(threads.submit(() -> blobs.write(out -> out.write(bytes))));
      }
    }

    Blob blob = written.getFirst().get();
    for (Future<Blob> each : written) {
      assertThat(each.get()).isEqualTo(blob);
    }
    assertThat(read(blob)).isEqualTo(bytes);
    store.clock().advance(DAY.multipliedBy(2));
    assertThat(collect()).isEqualTo(1);
  }

  @Test
  void whoStartsToReadMayGoOnAfterOthersHaveWritten() throws Exception {
    Blob blob = blobs.write(out -> out.write(content(2 * CHUNK, 10)));
    try (InputStream in = blobs.open(blob)) {
      byte[] half = in.readNBytes(CHUNK);
      blobs.write(out -> out.write(content(2 * CHUNK, 11)));

      assertThat(half).hasSize(CHUNK);
      assertThat(in.readAllBytes()).hasSize(CHUNK);
    }
  }
}
