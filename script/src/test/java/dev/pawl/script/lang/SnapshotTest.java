package dev.pawl.script.lang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private static final String SOURCE =
      """
      let list = [1, { a: "text" }]
      const same = list
      const f = (k) => { list.push(k); return same.length }
      const got = await Promise.race([Task.run("a", list), Timer.delay(5), Signal.next("s")])
      f(got)
      list[1].self = list
      await Timer.delay(1)
      return [same.length, list === same, list[1].self === same, f(2), -0 === 0]
      """;

  private final Script script = Script.parse("s.flow", SOURCE).orThrow();

  private Machine started() {
    Machine machine =
        Machine.start(script, "{}", new RunContext("r", "t", 1), new FixedHost(), Limits.DEFAULT);
    machine.run();
    return machine;
  }

  private Machine restored(byte[] snapshot) {
    return Machine.restore(script, snapshot, new FixedHost(), Limits.DEFAULT);
  }

  @Test
  void identityIsKept() {
    Machine machine = restored(started().snapshot());
    machine.settle(1, "\"x\"");
    machine.run();
    machine = restored(machine.snapshot());
    machine.settle(4, "null");
    assertThat(((Step.Done) machine.run()).value()).isEqualTo("[3,true,true,4,true]");
  }

  @Test
  void theSameStateGivesTheSameBytes() {
    byte[] snapshot = started().snapshot();
    assertThat(restored(snapshot).snapshot()).isEqualTo(snapshot);
    assertThat(snapshot.length).isLessThan(400);
    assertThat(Snapshot.scriptHash(snapshot)).isEqualTo(script.hash());
  }

  @Test
  void aCutOffSnapshotIsCorrupt() {
    byte[] snapshot = started().snapshot();
    for (int length = 0; length < snapshot.length; length++) {
      byte[] cut = Arrays.copyOf(snapshot, length);
      assertThatThrownBy(() -> restored(cut))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("SNAPSHOT_CORRUPT");
    }
  }

  @Test
  void aChangedSnapshotNeverGoesUnnoticed() {
    byte[] snapshot = started().snapshot();
    for (int at = 0; at < snapshot.length; at++) {
      byte[] changed = snapshot.clone();
      changed[at] ^= 0x10;
      assertThatThrownBy(() -> restored(changed)).isInstanceOf(SnapshotException.class);
    }
  }

  /** With the checksum made good again, only clear errors or a machine that runs are allowed. */
  @Test
  void aForgedSnapshotNeverCrashes() {
    byte[] snapshot = started().snapshot();
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 20_000; round++) {
      byte[] forged = snapshot.clone();
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        int at =
            SnapshotFormat.HEADER_BYTES
                + random.nextInt(snapshot.length - SnapshotFormat.HEADER_BYTES - 4);
        forged[at] = (byte) random.nextInt(256);
      }
      java.util.zip.CRC32 checksum = new java.util.zip.CRC32();
      checksum.update(forged, 0, forged.length - 4);
      for (int i = 0; i < 4; i++) {
        forged[forged.length - 4 + i] = (byte) (checksum.getValue() >>> (8 * i));
      }
      try {
        restored(forged);
      } catch (SnapshotException expected) {
        assertThat(expected.code()).isEqualTo(SnapshotException.Code.SNAPSHOT_CORRUPT);
      }
    }
  }

  @Test
  void aSnapshotOfAnotherScriptIsRefused() {
    Script other = Script.parse("o.flow", SOURCE + " ").orThrow();
    byte[] snapshot = started().snapshot();
    assertThatThrownBy(() -> Machine.restore(other, snapshot, new FixedHost(), Limits.DEFAULT))
        .hasMessageContaining("SNAPSHOT_OF_ANOTHER_SCRIPT");
  }

  @Test
  void aSnapshotOfANewerVersionIsRefused() {
    byte[] snapshot = started().snapshot();
    snapshot[2] = 2;
    assertThatThrownBy(() -> restored(snapshot)).hasMessageContaining("SNAPSHOT_TOO_NEW");
  }
}
